import { z } from 'zod'
import { TenantId } from '../tenants/schema.ts'

/** What is counted per site and day; each is a column of `analytics_days`. */
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
  /** Sessions in which the visitor wrote something, and those in which they wrote again. */
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

/** What is counted by name: pages, events of the widget, their numbers, and how long people waited. */
export type SubjectKind = 'page' | 'event' | 'number' | 'response'

/** Something to count: of a site, on the day that holds `at`, which is now unless said. */
export interface NewCount {
  workspaceId: string
  tenantId: string
  at?: number
  metrics?: Partial<Record<Metric, number>>
  subjects?: readonly { kind: SubjectKind; subject: string; count: number; amount?: number }[]
}

const MAX_EVENTS = 50
const MAX_PROPS = 20

const Scalar = z.union([z.string().max(200), z.number(), z.boolean(), z.null()])
const PropName = z.string().regex(/^[\w.-]{1,40}$/, 'must match [A-Za-z0-9_.-]{1,40}')

/** Something that happened on a page. Of `props` only the numbers are kept, as sums. */
const WidgetEvent = z.strictObject({
  type: z.string().regex(/^[\w.:-]{1,64}$/, 'must match [A-Za-z0-9_.:-]{1,64}'),
  at: z.iso.datetime({ offset: true, error: 'must be a time like 2026-11-21T09:30:00Z' }),
  props: z
    .record(PropName, Scalar)
    .refine((props) => Object.keys(props).length <= MAX_PROPS, `has more than ${MAX_PROPS}`)
    .optional(),
})

/** What a page reports. Whose visit it was is checked for its form and not kept. */
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
/** A share of 0–1, or `null` where there is nothing to divide. */
const share = z.number().nullable()

/** What was counted on a day, or on all of them. */
export const Figures = z.object({
  sessions: count,
  /** Everything said, by whom below. */
  messages: count,
  visitor_messages: count,
  bot_messages: count,
  operator_messages: count,
  answered: count,
  unanswered: count,
  handoffs: count,
  leads: count,
  appointments: count,
  /** How often an operator answered somebody who waited, and after how long on average. */
  first_responses: count,
  first_response_seconds: z.number().nullable(),
  ratings: count,
  average_rating: z.number().nullable(),
  /** The share of ratings that are 4 or 5. */
  csat: share,
  /** Sessions in which the visitor wrote once and no more, and their share. */
  one_message_sessions: count,
  drop_off: share,
  /** Messages that were not answered because the site's credits of the day were used up. */
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
  /** The pages on which most conversations began. */
  pages: z.array(z.object({ page: z.string(), sessions: count })),
  /** `other` is what did not fit into a day's list. */
  events: z.array(z.object({ type: z.string(), count })),
  /** Numbers that events had with them. */
  numbers: z.array(
    z.object({ type: z.string(), name: z.string(), count, sum: z.number(), average: z.number() }),
  ),
})
export type Summary = z.infer<typeof Summary>
