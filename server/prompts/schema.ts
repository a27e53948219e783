import { z } from 'zod'
import { text } from '../http/text-field.ts'
import { TenantId } from '../tenants/schema.ts'
import { IsoTime } from '../http/pagination.ts'
import { PlanId } from '../platform/auth/plans.ts'

export const FIXED_PRICES = { min: 1, max: 8 }
export const IMAGE_PRICES = { min: 10, max: 50 }
const MAX_TEMPLATE_LENGTH = 20_000
/** The smallest useful output cap. */
export const MIN_OUTPUT_TOKENS = 64
const MAX_OUTPUT_TOKENS = 16_384
export const MAX_FACT_LENGTH = 4_000

export const PromptId = z.string().regex(/^[a-z0-9-]{3,40}$/, 'must match [a-z0-9-]{3,40}')
export const PromptKind = z.enum(['fixed', 'bot', 'image'])
export type PromptKind = z.infer<typeof PromptKind>

/** A BCP 47 language tag, such as `tr` or `en-GB`. */
export const RunLocale = z
  .string()
  .max(35)
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language code like "tr"')

/** JSON Schema 2020-12 of an object. */
const InputsSchema = z.record(z.string(), z.unknown())

/** The definition of a prompt's version. */
export const PromptDefinition = z.strictObject({
  title: text(1, 120),
  kind: PromptKind.describe(
    '`fixed` has a price, a `bot` costs what its tokens cost, an `image` draws',
  ),
  template: text(1, MAX_TEMPLATE_LENGTH).describe(
    'What the model is asked: `{{name}}` is an input, `{{memory.key}}` a fact',
  ),
  inputs_schema: InputsSchema.describe('JSON Schema 2020-12 of an object'),
  credits_cost: z
    .int()
    .optional()
    .describe('1 to 8 for `fixed`, 10 to 50 for each picture of an `image`, none for a `bot`'),
  instructions: text(0, MAX_TEMPLATE_LENGTH)
    .optional()
    .describe('Instructions for the model, before the template; with the same placeholders'),
  model: text(1, 120)
    .optional()
    .describe("A model that the provider knows; left out, the workspace's"),
  max_output_tokens: z
    .int()
    .min(MIN_OUTPUT_TOKENS)
    .max(MAX_OUTPUT_TOKENS)
    .optional()
    .describe('The answer is not longer; 1,024 if left out'),
  locales: z
    .array(RunLocale)
    .min(1)
    .max(20)
    .optional()
    .describe('Languages that it is written for'),
  min_plan: PlanId.optional().describe('The lowest plan that may run it; `starter` if left out'),
})
export type PromptDefinition = z.infer<typeof PromptDefinition>

interface Priced {
  kind: PromptKind
  credits_cost?: number | undefined
}

function checkPrice({ kind, credits_cost: cost }: Priced, issues: z.RefinementCtx): void {
  const addIssue = (message: string) =>
    issues.addIssue({ code: 'custom', path: ['credits_cost'], message })
  if (kind === 'bot') {
    if (cost !== undefined) addIssue('is not for bots: they cost what their tokens cost')
    return
  }
  const { min, max } = kind === 'image' ? IMAGE_PRICES : FIXED_PRICES
  if (cost === undefined || cost < min || cost > max) {
    addIssue(`must be a whole number from ${min} to ${max} for this kind of prompt`)
  }
}

export const NewPrompt = z
  .strictObject({ prompt_id: PromptId, ...PromptDefinition.shape })
  .superRefine(checkPrice)
export type NewPrompt = z.infer<typeof NewPrompt>

/** `prompt_id` may be sent, but must equal the path's. */
export const ChangedPrompt = z
  .strictObject({ prompt_id: PromptId.optional(), ...PromptDefinition.shape })
  .superRefine(checkPrice)

export const Prompt = z.object({
  prompt_id: z.string(),
  version: z.int().describe('The one that runs now; runs name the one they had'),
  source: z.enum(['library', 'workspace']).describe('From the product, or your own'),
  title: z.string(),
  description: z.string().nullable().describe('A description; null for your own'),
  kind: PromptKind,
  credits_cost: z
    .int()
    .nullable()
    .describe('Per run, and per image; null for bots, which cost what their tokens cost'),
  inputs_schema: InputsSchema.describe('JSON Schema 2020-12 of `inputs`, with a title for each'),
  locales: z.array(z.string()).describe('Languages that it is written for; empty: any'),
  min_plan: PlanId.describe(
    'The lowest plan that may run it; the three Pro plans stand side by side',
  ),
  template: z.string().describe('The template'),
  instructions: z.string().nullable().describe('Instructions for the model, before the template'),
  model: z.string().nullable().describe("Null: the workspace's"),
  max_output_tokens: z.int().nullable().describe('Null: 1,024'),
  available: z.boolean().describe("Whether this installation's models can run it"),
  unavailable_reason: z
    .enum(['model_required', 'image_model_required'])
    .optional()
    .describe('Where it is not: what is missing, a model that writes or one that draws'),
})
export type Prompt = z.infer<typeof Prompt>

/** A version of a workspace's own prompt. */
export const PromptVersion = z.object({
  version: z.int().describe('1 for the first'),
  created_at: IsoTime,
  definition: PromptDefinition.describe('The definition that runs of this version used'),
})
export type PromptVersion = z.infer<typeof PromptVersion>

export const ExecutePrompt = z.strictObject({
  prompt_id: z.string().min(1).max(100),
  inputs: z
    .record(z.string(), z.unknown())
    .describe("By name, as the prompt's `inputs_schema` says"),
  locale: RunLocale.optional().describe(
    "One of the prompt's `locales`; the workspace's if left out, or the nearest that it has",
  ),
  stream: z.boolean().default(false).describe('True: server-sent events instead of one JSON body'),
})
export type ExecutePrompt = z.infer<typeof ExecutePrompt>

export const FinishReason = z.enum(['stop', 'length', 'aborted'])
export type FinishReason = z.infer<typeof FinishReason>

const Tokens = z.object({ input_tokens: z.int(), output_tokens: z.int() })

/** The tokens of a run. */
const Usage = Tokens.extend({
  billed: Tokens.optional().describe(
    'The tokens that were charged, where the provider reports more than the hold paid for',
  ),
})

/** The JSON response of `prompts/execute`. */
export const RunAnswer = z.object({
  run_id: z.string(),
  prompt_id: z.string(),
  prompt_version: z.int(),
  content: z.string().describe('The text of the model; empty for images'),
  credits_used: z.number().describe('The cost of this run'),
  credits_remaining: z.number().describe('The balance after it'),
  usage: Usage,
  model: z.string().describe('The model that answered'),
  locale: z.string(),
  finish_reason: FinishReason.describe(
    '`length`: cut at the token limit; `aborted`: the caller disconnected',
  ),
  images: z
    .array(z.object({ media_type: z.string(), url: z.string().describe('Expires') }))
    .optional()
    .describe('Of an image run'),
})
export type RunAnswer = z.infer<typeof RunAnswer>

/** The `data` of each event of a streamed run: pieces of text, then its end. */
export const RunEvent = z.union([
  z.object({ delta: z.string().describe('The next piece of the text') }),
  z.object({
    done: z.literal(true),
    ...RunAnswer.pick({
      credits_used: true,
      credits_remaining: true,
      run_id: true,
      finish_reason: true,
      images: true,
    }).shape,
  }),
  z.object({
    error: z.object({ code: z.string(), detail: z.string() }).describe('Why it failed'),
    done: z.literal(true),
    credits_used: z.number().describe('0: a failed run costs nothing'),
    credits_remaining: z.number(),
  }),
])

export const Run = z.object({
  run_id: z.string(),
  prompt_id: z.string(),
  prompt_version: z.int(),
  user_id: z.string().describe('The user who ran it, also by a key'),
  key_id: z.string().nullable().describe('The API key that it was run with; null: none'),
  request_id: z.string().describe('`X-Request-Id` of the call'),
  state: z.enum(['running', 'done', 'failed']),
  locale: z.string(),
  model: z.string().nullable().describe('The model that answered; null: none'),
  credits_used: z.number().describe('0 while it runs and where it failed'),
  usage: Usage.nullable(),
  usage_estimated: z.boolean().describe('True when the model gave no token counts'),
  finish_reason: FinishReason.nullable(),
  error: z
    .object({ code: z.string(), detail: z.string() })
    .nullable()
    .describe('The reason of the failure, as the caller received it'),
  created_at: IsoTime,
  duration_ms: z.int().nullable().describe('Null while it runs'),
  has_inputs: z
    .boolean()
    .describe('Whether `GET /api/v1/runs/{run_id}` returns the inputs to this caller'),
})

/** A run with what it takes to run it again. */
export const RunDetail = Run.extend({
  inputs: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe(
      'For the user who ran it, owners and admins: 30 days, or the shortest `retention_days` of ' +
        'the sites. Null after that, and beyond 32,768 bytes',
    ),
})

export const FactKey = z.string().regex(/^[a-z0-9][a-z0-9_.-]{0,63}$/, {
  error: 'must be a name like "opening_hours"',
})
export const NewFact = z.strictObject({
  value: text(1, MAX_FACT_LENGTH),
  tenant_id: TenantId.nullable()
    .default(null)
    .describe("Limits the fact to the answers of one site's visitors; left out, every site"),
  public: z.boolean().default(false).describe('True: answers to visitors may use it'),
})
export type NewFact = z.infer<typeof NewFact>
export const Fact = z.object({
  key: z.string().describe('`{{memory.key}}` in a template'),
  value: z.string(),
  tenant_id: z.string().nullable().describe('The site whose visitors may get it; null: every site'),
  public: z.boolean().describe('Whether answers to visitors may use it'),
  updated_at: IsoTime,
})
