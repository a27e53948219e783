import type { Context } from '../context.ts'
import { listDayNames } from '../lib/days.ts'
import { type Figures, METRICS, type Metric, type Summary } from './schema.ts'
import { type AnalyticsRange, listDays, listSubjects } from './store.ts'
import { medianResponseTime } from './response-times.ts'

/** Days of a summary, both ends included. */
export const MAX_DAYS = 1_101
const MAX_PAGES = 20
const MAX_TYPES = 100
const MAX_NUMBERS = 200
const MAX_BUCKETS = 100
/** The name of the counts beyond a day's maximum of names. */
const OTHER = 'other'

type MetricSums = Record<Metric, number>

const NOTHING: MetricSums = {
  sessions: 0,
  visitor_messages: 0,
  bot_messages: 0,
  operator_messages: 0,
  answered: 0,
  unanswered: 0,
  handoffs: 0,
  leads: 0,
  appointments: 0,
  talks: 0,
  longer_talks: 0,
  first_responses: 0,
  first_response_ms: 0,
  ratings: 0,
  rating_sum: 0,
  satisfied: 0,
  capped: 0,
  widget_events: 0,
}

/** Returns the totals of a range, its days without gaps, and the counts by page, event and number. */
export async function summarize(
  ctx: Context,
  range: AnalyticsRange,
  timeZone: string,
): Promise<Summary> {
  const { db } = ctx
  const of = (kind: 'page' | 'event' | 'number' | 'response', limit: number) =>
    listSubjects(db, { ...range, kind, limit })
  const [days, pages, events, numbers, waits] = await Promise.all([
    listDays(db, range),
    of('page', MAX_PAGES),
    of('event', MAX_TYPES),
    of('number', MAX_NUMBERS),
    of('response', MAX_BUCKETS),
  ])
  const known = new Map(days.map((day) => [day.day, day]))
  const total = { ...NOTHING }
  for (const day of days) for (const name of METRICS) total[name] += day[name]
  const series = listDayNames(range.from, range.to, MAX_DAYS).map((day) => ({
    day,
    ...toFigures(known.get(day) ?? NOTHING),
  }))
  return {
    from: range.from,
    to: range.to,
    time_zone: timeZone,
    tenant_id: range.tenantId ?? null,
    totals: {
      ...toFigures(total),
      first_response_median_seconds: rounded(medianResponseTime(waits)),
    },
    series,
    pages: pages.map(({ subject, count }) => ({ page: subject || OTHER, sessions: count })),
    events: events.map(({ subject, count }) => ({ type: subject || OTHER, count })),
    numbers: numbers.map(({ subject, count, amount }) => {
      const [type = '', name = ''] = subject === '' ? [OTHER, OTHER] : subject.split(' ')
      return { type, name, count, sum: amount, average: count === 0 ? 0 : amount / count }
    }),
  }
}

function toFigures(counts: MetricSums): Figures {
  const { visitor_messages, bot_messages, operator_messages, talks, longer_talks } = counts
  const { first_responses, ratings } = counts
  return {
    sessions: counts.sessions,
    messages: visitor_messages + bot_messages + operator_messages,
    visitor_messages,
    bot_messages,
    operator_messages,
    answered: counts.answered,
    unanswered: counts.unanswered,
    handoffs: counts.handoffs,
    leads: counts.leads,
    appointments: counts.appointments,
    first_responses,
    first_response_seconds: ratio(counts.first_response_ms / 1_000, first_responses),
    ratings,
    average_rating: ratio(counts.rating_sum, ratings),
    csat: ratio(counts.satisfied, ratings),
    one_message_sessions: talks - longer_talks,
    drop_off: ratio(talks - longer_talks, talks),
    capped: counts.capped,
    widget_events: counts.widget_events,
  }
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : rounded(part / whole)
}

function rounded(value: number): number
function rounded(value: number | null): number | null
function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1_000) / 1_000
}
