import { z } from 'zod'
import { Locale, TimeZone } from '../tenants/schema.ts'
import { Credits, CreditsAnswer } from '../credits/schema.ts'
import { FEATURES } from '../http/access.ts'
import { IsoTime } from '../http/pagination.ts'
import { toCredits, toMilli } from '../lib/money.ts'
import { PROVIDERS, PROVIDER_NAMES } from '../models/providers.ts'
import { PlanId } from '../platform/auth/plans.ts'
import { Quota } from '../quotas/schema.ts'
import { Email, MemberRole, Password } from '../platform/schema.ts'

const MAX_FALLBACKS = 2

/** Whether a number of credits can be kept exactly. */
const hasMilli = (credits: number): boolean => toCredits(toMilli(credits)) === credits

const Provider = z.enum(PROVIDER_NAMES)
const ModelName = z.string().trim().min(1).max(200)

/**
 * A provider of models. `api_key` is never shown: left out it stays, as long as the address does.
 */
export const NewModelChoice = z
  .strictObject({
    provider: Provider,
    base_url: z
      .string()
      .max(2_048)
      .optional()
      .describe("With its `/v1`; left out, the provider's own"),
    model: ModelName.optional().describe('As the provider calls it'),
    image_model: ModelName.optional().describe('For prompts that draw'),
    api_key: z
      .string()
      .regex(/^[\x21-\x7e]{1,500}$/, 'must be 1 to 500 visible ASCII characters')
      .nullable()
      .optional()
      .describe('Never shown; if omitted, it is kept while the address stays the same'),
  })
  .refine(
    ({ provider, model, image_model }) =>
      PROVIDERS[provider].isLocal || model !== undefined || image_model !== undefined,
    { path: ['model'], message: 'is required, or image_model' },
  )
export type NewModelChoice = z.infer<typeof NewModelChoice>

/** An embedding model behind any OpenAI-compatible `/embeddings`. */
export const NewEmbeddingChoice = z.strictObject({
  base_url: z.string().max(2_048).describe('With its `/v1`'),
  model: ModelName.describe('As the provider calls it'),
  api_key: z
    .string()
    .regex(/^[\x21-\x7e]{1,500}$/, 'must be 1 to 500 visible ASCII characters')
    .nullable()
    .optional()
    .describe('Never shown; if omitted, it is kept while the address stays the same'),
})
export type NewEmbeddingChoice = z.infer<typeof NewEmbeddingChoice>

export const EmbeddingSettings = z.object({
  base_url: z.string(),
  model: z.string(),
  has_api_key: z.boolean(),
})
export type EmbeddingSettings = z.infer<typeof EmbeddingSettings>

export const ModelChoice = z.object({
  provider: Provider,
  base_url: z.string().nullable(),
  model: z.string().nullable(),
  image_model: z.string().nullable(),
  has_api_key: z.boolean(),
})
export type ModelChoice = z.infer<typeof ModelChoice>

/** `model: null` leaves the choice to the installation. */
export const SettingsPatch = z.strictObject({
  name: z.string().trim().min(1).max(120).optional(),
  locale: Locale.optional(),
  time_zone: TimeZone.optional(),
  model: NewModelChoice.nullable()
    .optional()
    .describe('Null leaves the choice to the installation'),
  fallback_models: z
    .array(NewModelChoice)
    .max(MAX_FALLBACKS)
    .optional()
    .describe('Tried in this order when the first one fails'),
  embedding: NewEmbeddingChoice.nullable()
    .optional()
    .describe('Null leaves the choice to the installation'),
  credit_warning: z
    .number()
    .positive()
    .max(1_000_000_000)
    .refine(hasMilli, 'has at most three decimals')
    .nullable()
    .optional()
    .describe('Owners and admins get a mail below so many credits; null for no mail'),
})
export type SettingsPatch = z.infer<typeof SettingsPatch>

export const WorkspaceSettings = z.object({
  ws_id: z.string(),
  name: z.string(),
  plan: PlanId,
  locale: z.string().describe('The language of its mails, and of prompts that are run without one'),
  time_zone: z.string().describe('Where its days begin and end, such as `Europe/Istanbul`'),
  model: ModelChoice.nullable().describe("Null: the installation's"),
  fallback_models: z.array(ModelChoice).describe('Tried in this order when the first one fails'),
  embedding: EmbeddingSettings.nullable().describe("Null: the installation's"),
  credit_warning: z.number().nullable().describe("The workspace's own threshold"),
  closes_at: IsoTime.nullable().describe('When a closed workspace is erased'),
  quotas: z.array(Quota).describe('The limits of the plan, and the usage'),
  created_at: IsoTime,
})
export type WorkspaceSettings = z.infer<typeof WorkspaceSettings>

/** The owner's password, once more. */
export const CloseWorkspace = z.strictObject({ password: z.string().min(1).max(200) })

export const Closing = z.object({
  closes_at: IsoTime.describe('When everything is erased; until then it can be reopened'),
})

/** The state of the workspace's mails. */
export const MailState = z.object({
  configured: z.boolean().describe('Whether the installation has a mail server'),
  sender: z.string().nullable().describe("Null: the installation's default"),
  waiting: z.int().describe('Mails that are not sent yet'),
  failed: z.int().describe('Mails of the last week that could not be sent'),
})
export type MailState = z.infer<typeof MailState>

/** The result of a test call to a model. */
export const ModelCheck = z.object({
  provider: z.string(),
  model: z.string().nullable(),
  ok: z.boolean().describe('Whether it answered'),
  detail: z.string().nullable().describe('Why it failed'),
  duration_ms: z.int().describe('Until the answer had ended, in milliseconds'),
})
export type ModelCheck = z.infer<typeof ModelCheck>

/** The result of a test call to the embedding model. */
export const EmbeddingCheck = z.object({
  model: z.string().nullable().describe('Null: there is none, and documents are searched by words'),
  ok: z.boolean().describe('Whether it answered'),
  detail: z.string().nullable().describe('Why it failed'),
  dimensions: z.int().nullable().describe('The length of its vectors'),
  duration_ms: z.int().describe('Until the answer had ended, in milliseconds'),
})
export type EmbeddingCheck = z.infer<typeof EmbeddingCheck>

export const ExportPlace = z.object({ url: z.string().describe('Where the ZIP file is') })

/** The response of `auth/me` (platform spec, "Resources"). */
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
  features: z.array(z.enum(FEATURES)).describe('The features of the plan'),
})

const MonthlyCredits = z.int().min(0).max(1_000_000_000)
const NewWorkspaceLocale = z
  .string()
  .regex(/^[a-z]{2}(-[A-Z]{2})?$/, 'must be a language code like "tr"')

export const NewWorkspace = z.strictObject({
  name: z.string().trim().min(1).max(120),
  plan: PlanId,
  locale: NewWorkspaceLocale.describe('The language of its mails and prompts, such as `tr`'),
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
      .describe('Ends a paid plan with the month; `false` revokes that'),
    suspended: z
      .boolean()
      .optional()
      .describe('Members, keys, visitors and hooks get 403; nothing is deleted'),
  })
  .refine((patch) => Object.values(patch).some((value) => value !== undefined), {
    message: 'must change plan, monthly_credits, cancelled or suspended',
  })

export const NewAddons = z.strictObject({
  credits: z
    .number()
    .positive()
    .max(1_000_000_000)
    .refine(hasMilli, 'has at most three decimals')
    .describe('At most three decimals'),
  reference: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .describe('For example an invoice number; each reference counts once'),
})

export const Workspace = z.object({
  ws_id: z.string(),
  name: z.string(),
  plan: PlanId,
  locale: z.string(),
  owner: z.object({ id: z.string(), email: z.string(), name: z.string() }).optional(),
  credits: CreditsAnswer,
  credits_used: z.number().describe('In this month, of the monthly ones'),
  members: z.int(),
  sites: z.int(),
  suspended: z.boolean(),
  ends_at: IsoTime.nullable().describe('When a cancelled plan ends'),
  created_at: IsoTime,
})
