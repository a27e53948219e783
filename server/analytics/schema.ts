import { z } from 'zod'
import { TenantId } from '../tenants/schema.ts'

/** Counters per site and day; each is a column of `analytics_days`. */
export const METRICS = [
  'sessions',
  'visitor_messages',
  'bot_messages',
  'operator_messages',
  'answered',
  'unanswered',
  'handoffs',
  'leads',
  'appointments',
  /** Sessions with a visitor's message, and sessions with two or more. */
  'talks',
  'longer_talks',
  'first_responses',
  'first_response_ms',
  'ratings',
  'rating_sum',
  'satisfied',
  'capped',
  'widget_events',
] as const
export type Metric = (typeof METRICS)[number]

/** Counters by name: pages, types of widget events, their numbers, and response times by bucket. */
export type SubjectKind = 'page' | 'event' | 'number' | 'response'

/** A count of a site, on the day of `at`, by default now. */
export interface NewCount {
  workspaceId: string
  tenantId: string
  at?: number
  metrics?: Partial<Record<Metric, number>>
  subjects?: readonly { kind: SubjectKind; subject: string; count: number; amount?: number }[]
}

/**
 * Largest number of an event, and largest stored sum. A sum that overflows to infinity has no JSON
 * form, so that a response with it would be refused; a double holds millions of the largest sums.
 */
const MAX_NUMBER = 1e12
export const MAX_SUM = 1e18
const MAX_EVENTS = 50
const MAX_PROPS = 20

const Scalar = z.union([
  z.string().max(200),
  z.number().min(-MAX_NUMBER).max(MAX_NUMBER),
  z.boolean(),
  z.null(),
])
const PropName = z.string().regex(/^[\w.-]{1,40}$/, 'must match [A-Za-z0-9_.-]{1,40}')

/** An event on a page. Only the numbers of `props` are stored, as sums. */
const WidgetEvent = z.strictObject({
  type: z.string().regex(/^[\w.:-]{1,64}$/, 'must match [A-Za-z0-9_.:-]{1,64}'),
  at: z.iso.datetime({ offset: true, error: 'must be a time like 2026-11-21T09:30:00Z' }),
  props: z
    .record(PropName, Scalar)
    .refine((props) => Object.keys(props).length <= MAX_PROPS, `has more than ${MAX_PROPS}`)
    .optional(),
})

/** A batch of widget events. `visitor_id` is validated and not stored. */
export const ReportEvents = z.strictObject({
  tenant_id: TenantId,
  visitor_id: z
    .string()
    .regex(/^vis_[\w-]{1,60}$/, 'must be the id of a visitor')
    .optional(),
  events: z.array(WidgetEvent).min(1).max(MAX_EVENTS),
})
export type ReportEvents = z.infer<typeof ReportEvents>

export const Accepted = z.object({ accepted: z.int() })

const count = z.int()
/** A share of 0–1; `null` when the divisor is 0. */
const share = z.number().nullable()

/** The figures of a day, or of the whole range. */
export const Figures = z.object({
  sessions: count,
  /** All messages; the next three are its parts. */
  messages: count,
  visitor_messages: count,
  bot_messages: count,
  operator_messages: count,
  answered: count,
  unanswered: count,
  handoffs: count,
  leads: count,
  appointments: count,
  /** Waits that an operator's reply ended, and their average. */
  first_responses: count,
  first_response_seconds: z.number().nullable(),
  ratings: count,
  average_rating: z.number().nullable(),
  /** The share of ratings that are 4 or 5. */
  csat: share,
  /** Sessions with one visitor's message, and their share. */
  one_message_sessions: count,
  drop_off: share,
  /** Messages without an answer because the site's daily credits were used up. */
  capped: count,
  widget_events: count,
})
export type Figures = z.infer<typeof Figures>

export const Summary = z.object({
  from: z.string(),
  to: z.string(),
  time_zone: z.string(),
  tenant_id: z.string().nullable(),
  totals: Figures.extend({ first_response_median_seconds: z.number().nullable() }),
  series: z.array(Figures.extend({ day: z.string() })),
  /** The pages on which most sessions began. */
  pages: z.array(z.object({ page: z.string(), sessions: count })),
  /** `other` counts the names beyond a day's maximum. */
  events: z.array(z.object({ type: z.string(), count: count })),
  /** The numeric `props` of events. */
  numbers: z.array(
    z.object({
      type: z.string(),
      name: z.string(),
      count: count,
      sum: z.number(),
      average: z.number(),
    }),
  ),
})
export type Summary = z.infer<typeof Summary>
