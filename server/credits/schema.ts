import { z } from 'zod'
import { pageSchema } from '../http/pages.ts'
import { isDay } from '../lib/days.ts'
import { toCredits, toMilli } from '../lib/money.ts'
import { PlanId } from '../platform/plans.ts'
import { Email, Password } from '../platform/schema.ts'

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
  remaining: z.number(),
  monthly_limit: z.number(),
  reset_at: z.string(),
  addons: z.number(),
})
export type Credits = z.infer<typeof Credits>

export const CreditsAnswer = Credits.extend({ held: z.number() })

/** One change of the balance; `amount` is negative when credits leave. */
export const LedgerRow = z.object({
  ledger_id: z.string(),
  type: LedgerType,
  amount: z.number(),
  source: LedgerSource,
  monthly_after: z.number(),
  addons_after: z.number(),
  held_after: z.number(),
  run_id: z.string().optional(),
  session_id: z.string().optional(),
  reference: z.string().optional(),
  created_at: z.string(),
})
export type LedgerRow = z.infer<typeof LedgerRow>

const INSTANT = z.iso.datetime({ offset: true })
const Moment = z
  .string()
  .max(40)
  .refine((text) => isDay(text) || INSTANT.safeParse(text).success, {
    message: 'must be a day like 2027-06-15 or a time like 2027-06-15T10:00:00Z',
  })

/** `?from=` and `?to=`: days in the workspace's time zone, both included, or instants. */
export const Range = { from: Moment.optional(), to: Moment.optional() }
export type RangeQuery = z.infer<z.ZodObject<typeof Range>>

/** What usage is counted by. `day` is everything, whatever it was for. */
export const UsageKind = z.enum(['day', 'prompt', 'bot', 'key', 'user'])
export type UsageKind = z.infer<typeof UsageKind>

/** What one subject used, or was used on one day. `subject` is its id, or the day. */
export const UsageRow = z.object({
  subject: z.string(),
  runs: z.int(),
  credits_used: z.number(),
  input_tokens: z.int(),
  output_tokens: z.int(),
})
export type UsageRow = z.infer<typeof UsageRow>

/** One page of usage, and the total of all its pages and of what none of them names. */
export const UsagePage = pageSchema(UsageRow).extend({
  by: UsageKind,
  from: z.string(),
  to: z.string(),
  total: UsageRow.omit({ subject: true }),
})

/** The answer of `auth/me` (platform spec, "Resources"). */
export const Me = z.object({
  user: z.object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    plan: z.string(),
    role: z.string(),
  }),
  workspace: z.object({ id: z.string(), name: z.string(), locale: z.string() }),
  credits: Credits,
  features: z.array(z.string()),
})

const MonthlyCredits = z.int().min(0).max(1_000_000_000)
const Locale = z.string().regex(/^[a-z]{2}(-[A-Z]{2})?$/, 'must be a language code like "tr"')

export const NewWorkspace = z.strictObject({
  name: z.string().trim().min(1).max(120),
  plan: PlanId,
  locale: Locale,
  owner: z.strictObject({
    email: Email,
    name: z.string().trim().min(1).max(120),
    password: Password,
  }),
  monthly_credits: MonthlyCredits.optional(),
})
export type NewWorkspace = z.infer<typeof NewWorkspace>

export const WorkspacePatch = z
  .strictObject({
    plan: PlanId.optional(),
    monthly_credits: MonthlyCredits.optional(),
    /** Ends a paid plan with the month; `false` takes that back. */
    cancelled: z.boolean().optional(),
  })
  .refine((patch) => Object.values(patch).some((value) => value !== undefined), {
    message: 'must change plan, monthly_credits or cancelled',
  })

export const NewAddons = z.strictObject({
  credits: z
    .number()
    .positive()
    .max(1_000_000_000)
    .refine((credits) => toCredits(toMilli(credits)) === credits, 'has at most three decimals'),
  reference: z.string().trim().min(1).max(200),
})

export const Workspace = z.object({
  ws_id: z.string(),
  name: z.string(),
  plan: PlanId,
  locale: z.string(),
  owner: z.object({ id: z.string(), email: z.string(), name: z.string() }).optional(),
  credits: CreditsAnswer,
  /** When a cancelled plan ends. */
  ends_at: z.string().nullable(),
  created_at: z.string(),
})
