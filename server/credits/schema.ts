import { z } from 'zod'
import { IsoTime, pageSchema } from '../http/pagination.ts'
import { isDay, isInCalendar } from '../lib/days.ts'
import { FEATURES } from '../http/access.ts'
import { toCredits, toMilli } from '../lib/money.ts'
import { PlanId } from '../platform/auth/plans.ts'
import { Email, MemberRole, Password } from '../platform/schema.ts'

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
  remaining: z
    .number()
    .describe('Credits that can be spent now: monthly and add-on, less what is held'),
  monthly_limit: z.number().describe('Credits that the plan gives each month'),
  reset_at: IsoTime.describe('When the monthly credits are granted anew'),
  addons: z.number().describe('Bought credits that are left; they stay when a month ends'),
})
export type Credits = z.infer<typeof Credits>

export const CreditsAnswer = Credits.extend({
  held: z.number().describe('What runs that are open have reserved'),
})

/** One change of the balance; `amount` is negative when credits leave. */
export const LedgerRow = z.object({
  ledger_id: z.string(),
  type: LedgerType.describe(
    '`hold` reserves for a run, `release` gives that back, `settle` takes what it cost; `grant` and ' +
      '`expire` begin a month; `addon` was bought; `adjust` corrects',
  ),
  amount: z.number().describe('In credits; negative when they leave'),
  source: LedgerSource.describe('Which credits: of the month, or bought'),
  monthly_after: z.number().describe('Monthly credits after this row, held ones included'),
  addons_after: z.number().describe('Add-on credits after this row, held ones included'),
  held_after: z.number().describe('Credits that are held after this row'),
  run_id: z.string().optional().describe('The run or the chat turn that it was for'),
  session_id: z.string().optional().describe('The conversation of a chat turn'),
  reference: z.string().optional().describe('The reference under which add-ons were bought'),
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

/** What usage is counted by. `day` is everything, whatever it was for. */
export const UsageKind = z.enum(['day', 'prompt', 'bot', 'key', 'user'])
export type UsageKind = z.infer<typeof UsageKind>

/** What one subject used, or was used on one day. `subject` is its id, or the day. */
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
  total: UsageRow.omit({ subject: true }).describe('All of these days, whatever page this is'),
})

/** The answer of `auth/me` (platform spec, "Resources"). */
export const Me = z.object({
  user: z.object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    plan: PlanId,
    role: MemberRole,
  }),
  workspace: z.object({ id: z.string(), name: z.string(), locale: z.string() }),
  credits: Credits,
  features: z.array(z.enum(FEATURES)).describe('What the plan has'),
})

const MonthlyCredits = z.int().min(0).max(1_000_000_000)
const Locale = z.string().regex(/^[a-z]{2}(-[A-Z]{2})?$/, 'must be a language code like "tr"')

export const NewWorkspace = z.strictObject({
  name: z.string().trim().min(1).max(120),
  plan: PlanId,
  locale: Locale.describe('The language of its mails and prompts, such as `tr`'),
  owner: z.strictObject({
    email: Email,
    name: z.string().trim().min(1).max(120),
    password: Password,
  }),
  monthly_credits: MonthlyCredits.optional().describe("Instead of the plan's"),
})
export type NewWorkspace = z.infer<typeof NewWorkspace>

export const WorkspacePatch = z
  .strictObject({
    plan: PlanId.optional(),
    monthly_credits: MonthlyCredits.optional().describe("Instead of the plan's"),
    cancelled: z
      .boolean()
      .optional()
      .describe('Ends a paid plan with the month; `false` takes that back'),
  })
  .refine((patch) => Object.values(patch).some((value) => value !== undefined), {
    message: 'must change plan, monthly_credits or cancelled',
  })

export const NewAddons = z.strictObject({
  credits: z
    .number()
    .positive()
    .max(1_000_000_000)
    .refine((credits) => toCredits(toMilli(credits)) === credits, 'has at most three decimals')
    .describe('At most three decimals'),
  reference: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .describe('Such as the number of the invoice; the same one twice counts once'),
})

export const Workspace = z.object({
  ws_id: z.string(),
  name: z.string(),
  plan: PlanId,
  locale: z.string(),
  owner: z.object({ id: z.string(), email: z.string(), name: z.string() }).optional(),
  credits: CreditsAnswer,
  ends_at: IsoTime.nullable().describe('When a cancelled plan ends'),
  created_at: IsoTime,
})
