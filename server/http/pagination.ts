import { z } from 'zod'
import { type Cursor, decodeCursor } from '../lib/cursor.ts'

const MAX_PER_PAGE = 100
const DEFAULT_PAGE = 25

/** `?limit=` (1–100, default 25) and `?cursor=` of every list. */
export const PageQuery = z.strictObject({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_PER_PAGE)
    .default(DEFAULT_PAGE)
    .describe('Maximum number of items'),
  cursor: z
    .string()
    .max(400)
    .transform((text, issues): Cursor => {
      const cursor = decodeCursor(text)
      if (cursor) return cursor
      issues.addIssue({ code: 'custom', message: 'is not a cursor of this list' })
      return z.NEVER
    })
    .describe('`next_cursor` of the previous page')
    .optional(),
})
export type PageQuery = z.infer<typeof PageQuery>

/** The shape of every list. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    next_cursor: z.string().nullable().describe('`cursor` of the next page; null on the last one'),
  })
}

/** A time in a response, as `isoTime` formats the time. */
export const IsoTime = z.string().meta({ format: 'date-time' })

/** Timestamps travel as ISO 8601 UTC with milliseconds. */
export function isoTime(at: number): string {
  return new Date(at).toISOString()
}

/** A time in a query or a body, with any offset; parsed to milliseconds. */
export const Moment = z.iso
  .datetime({ offset: true, error: 'must be a time like 2026-11-21T09:30:00Z' })
  .transform((text) => Date.parse(text))
