import { z } from 'zod'

/** A bound of a figure: of its value, of its share of the floor, or of what it adds to the floor. */
const Target = z.object({
  of: z.enum(['value', 'share of the floor', 'beyond the floor']),
  bound: z.number(),
})

/** The size that grows from one figure to the next, such as 100 documents. */
const Growth = z.object({ axis: z.string(), at: z.int() })

/** A measured number. The value is null where the measurement had no end, such as a recovery that never came. */
export const Figure = z.object({
  /** Stable within its part: the next run is compared by it. */
  id: z.string(),
  label: z.string(),
  value: z.number().nullable(),
  unit: z.string(),
  better: z.enum(['higher', 'lower']),
  /** The same work without the product, in the same run. */
  floor: z.number().optional(),
  target: Target.optional(),
  /** Figures of other products, measured earlier and elsewhere. */
  peers: z.record(z.string(), z.number()).optional(),
  growth: Growth.optional(),
  /** The figure that the stored report had before. */
  previous: z.object({ value: z.number().nullable(), floor: z.number().optional() }).optional(),
})
export type Figure = z.infer<typeof Figure>

const Part = z.object({
  date: z.string(),
  commit: z.string(),
  cpu: z.string(),
  seconds: z.number(),
  /** Why the newest run of the part has no figures; those below are older. */
  failed: z.string().optional(),
  figures: z.array(Figure),
})
export type Part = z.infer<typeof Part>

export const Machine = z.object({
  cpu: z.string(),
  cores: z.int(),
  memory_gb: z.number(),
  kernel: z.string(),
})
export type Machine = z.infer<typeof Machine>

/** The stored figures of all parts, by the part's name. */
export const Report = z.object({
  date: z.string(),
  machine: Machine,
  versions: z.record(z.string(), z.string()),
  parts: z.record(z.string(), Part),
})
export type Report = z.infer<typeof Report>

/** Returns a number that JSON can store, in four significant digits. */
export function stored(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(4)) : null
}

/** Returns what a target bounds; undefined without a value, or without the floor that it needs. */
export function boundedValue({ value, floor, target }: Figure): number | undefined {
  if (value === null || !target) return undefined
  if (target.of === 'value') return value
  if (floor === undefined) return undefined
  return target.of === 'share of the floor' ? value / floor : value - floor
}

/** Returns whether a figure reaches its target; undefined without one. */
export function isReached(figure: Figure): boolean | undefined {
  if (!figure.target) return undefined
  const bounded = boundedValue(figure)
  if (bounded === undefined) return false
  return figure.better === 'higher'
    ? bounded >= figure.target.bound
    : bounded <= figure.target.bound
}
