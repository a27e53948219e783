import { z } from 'zod'

/** Text whose length is counted in Unicode code points after trimming. */
export function text(min: number, max: number) {
  return z
    .string()
    .trim()
    .refine((value) => {
      const length = [...value].length
      return length >= min && length <= max
    }, `must have between ${min} and ${max} characters`)
    .meta({ minLength: min, maxLength: max })
}
