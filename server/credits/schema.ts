import { z } from 'zod'
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
  .strictObject({ plan: PlanId.optional(), monthly_credits: MonthlyCredits.optional() })
  .refine((patch) => patch.plan !== undefined || patch.monthly_credits !== undefined, {
    message: 'must change plan or monthly_credits',
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
  created_at: z.string(),
})
