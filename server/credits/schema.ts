import { z } from 'zod'
import { IsoTime, pageSchema } from '../http/pagination.ts'
import { isDay, isInCalendar } from '../lib/days.ts'

export const LedgerType = z.enum([
  'grant',
  'hold',
  'settle',
  'release',
  'addon',
  'expire',
  'adjust',
])
export type LedgerType = z.infer<typeof LedgerType>

export const LedgerSource = z.enum(['monthly', 'addon'])
export type LedgerSource = z.infer<typeof LedgerSource>

/** Credits as `auth/me` shows them (platform spec, "Credits"). */
export const Credits = z.object({
  remaining: z.number().describe('Available credits: monthly and add-on, less the holds'),
  monthly_limit: z.number().describe('Credits that the plan gives each month'),
  reset_at: IsoTime.describe('When the monthly credits are granted again'),
  addons: z.number().describe('Bought credits that are left; they stay when a month ends'),
})
export type Credits = z.infer<typeof Credits>

export const CreditsAnswer = Credits.extend({
  held: z.number().describe('The sum of the open holds'),
})

/** One change of the balance; `amount` is negative when credits leave. */
export const LedgerRow = z.object({
  ledger_id: z.string(),
  type: LedgerType.describe(
    '`hold` reserves for a run, `release` returns the reservation, `settle` charges the cost; `grant` and ' +
      '`expire` begin a month; `addon` was bought; `adjust` corrects',
  ),
  amount: z.number().describe('In credits; negative when they leave'),
  source: LedgerSource.describe('The kind of credits: monthly, or add-on'),
  monthly_after: z.number().describe('Monthly credits after this row, held ones included'),
  addons_after: z.number().describe('Add-on credits after this row, held ones included'),
  held_after: z.number().describe('Held credits after this row'),
  run_id: z.string().optional().describe('The run or the chat turn that it was for'),
  session_id: z.string().optional().describe('The conversation of a chat turn'),
  reference: z.string().optional().describe('The reference under which add-ons were bought'),
  billed_input_tokens: z
    .int()
    .optional()
    .describe('The charged input tokens, if the provider reports more than the hold paid for'),
  billed_output_tokens: z.int().optional().describe('The charged output tokens, likewise'),
  created_at: IsoTime,
})
export type LedgerRow = z.infer<typeof LedgerRow>

const INSTANT = z.iso.datetime({ offset: true })
const isInstant = (text: string) =>
  INSTANT.safeParse(text).success && isInCalendar(Date.parse(text))
const Moment = z
  .string()
  .max(40)
  .refine((text) => isDay(text) || isInstant(text), {
    message: 'must be a day like 2027-06-15 or a time like 2027-06-15T10:00:00Z',
  })

/** `?from=` and `?to=`: days in the workspace's time zone, both included, or instants. */
export const Range = {
  from: Moment.optional().describe("The first day, in the workspace's time zone, or an instant"),
  to: Moment.optional().describe('The last day, included, or an instant, not included'),
}
export type RangeQuery = z.infer<z.ZodObject<typeof Range>>

/** The dimension of a usage report. `day` covers all usage. */
export const UsageKind = z.enum(['day', 'prompt', 'bot', 'key', 'user'])
export type UsageKind = z.infer<typeof UsageKind>

/** The usage of one subject or of one day. `subject` is its id, or the day. */
export const UsageRow = z.object({
  subject: z.string().describe('The day, prompt, site, key or user that is counted'),
  runs: z.int().describe('Settled runs and chat turns'),
  credits_used: z.number(),
  input_tokens: z.int(),
  output_tokens: z.int(),
})
export type UsageRow = z.infer<typeof UsageRow>

/** One page of usage, and the total of all its pages and of what none of them names. */
export const UsagePage = pageSchema(UsageRow).extend({
  by: UsageKind,
  from: z.string().describe('The first day that is counted'),
  to: z.string().describe('The last day that is counted'),
  total: UsageRow.omit({ subject: true }).describe('The total of all days, regardless of the page'),
})
