import { z } from 'zod'
import { text } from '../chat/schema.ts'
import { PlanId } from '../platform/plans.ts'

const FIXED_PRICES = { least: 1, most: 8 }
const IMAGE_PRICES = { least: 10, most: 50 }
const MAX_TEMPLATE_LENGTH = 20_000
/** Fewer tokens than this are no answer (contract, section 4). */
export const LEAST_OUTPUT_TOKENS = 64
const MOST_OUTPUT_TOKENS = 16_384
export const MAX_FACT_LENGTH = 4_000

export const PromptId = z.string().regex(/^[a-z0-9-]{3,40}$/, 'must match [a-z0-9-]{3,40}')
export const PromptKind = z.enum(['fixed', 'bot', 'image'])
export type PromptKind = z.infer<typeof PromptKind>

/** A language as BCP 47 names it, such as `tr` or `en-GB`. */
export const RunLocale = z
  .string()
  .max(35)
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language code like "tr"')

/** JSON Schema 2020-12 of an object. */
const InputsSchema = z.record(z.string(), z.unknown())

/** What a version of a prompt is. */
export const PromptDefinition = z.strictObject({
  title: text(1, 120),
  kind: PromptKind,
  template: text(1, MAX_TEMPLATE_LENGTH),
  inputs_schema: InputsSchema,
  credits_cost: z.int().optional(),
  instructions: text(0, MAX_TEMPLATE_LENGTH).optional(),
  model: text(1, 120).optional(),
  max_output_tokens: z.int().min(LEAST_OUTPUT_TOKENS).max(MOST_OUTPUT_TOKENS).optional(),
  locales: z.array(RunLocale).min(1).max(20).optional(),
  min_plan: PlanId.optional(),
})
export type PromptDefinition = z.infer<typeof PromptDefinition>

interface Priced {
  kind: PromptKind
  credits_cost?: number | undefined
}

function judgePrice({ kind, credits_cost: cost }: Priced, issues: z.RefinementCtx): void {
  const complain = (message: string) =>
    issues.addIssue({ code: 'custom', path: ['credits_cost'], message })
  if (kind === 'bot') {
    if (cost !== undefined) complain('is not for bots: they cost what their tokens cost')
    return
  }
  const { least, most } = kind === 'image' ? IMAGE_PRICES : FIXED_PRICES
  if (cost === undefined || cost < least || cost > most) {
    complain(`must be a whole number from ${least} to ${most} for this kind of prompt`)
  }
}

export const NewPrompt = z
  .strictObject({ prompt_id: PromptId, ...PromptDefinition.shape })
  .superRefine(judgePrice)
export type NewPrompt = z.infer<typeof NewPrompt>

/** `prompt_id` may be sent again, but not changed. */
export const ChangedPrompt = z
  .strictObject({ prompt_id: PromptId.optional(), ...PromptDefinition.shape })
  .superRefine(judgePrice)

export const Prompt = z.object({
  prompt_id: z.string(),
  version: z.int(),
  source: z.enum(['library', 'workspace']),
  title: z.string(),
  description: z.string().nullable(),
  kind: PromptKind,
  /** Per run, and per image; null for bots, which cost what their tokens cost. */
  credits_cost: z.int().nullable(),
  inputs_schema: InputsSchema,
  locales: z.array(z.string()),
  min_plan: PlanId,
  template: z.string(),
  instructions: z.string().nullable(),
  model: z.string().nullable(),
  max_output_tokens: z.int().nullable(),
})
export type Prompt = z.infer<typeof Prompt>

export const ExecutePrompt = z.strictObject({
  prompt_id: z.string().min(1).max(100),
  inputs: z.record(z.string(), z.unknown()),
  locale: RunLocale.optional(),
  stream: z.boolean().default(false),
})
export type ExecutePrompt = z.infer<typeof ExecutePrompt>

export const FinishReason = z.enum(['stop', 'length', 'aborted'])
export type FinishReason = z.infer<typeof FinishReason>

const Usage = z.object({ input_tokens: z.int(), output_tokens: z.int() })

/** The JSON answer of `prompts/execute`. */
export const RunAnswer = z.object({
  run_id: z.string(),
  prompt_id: z.string(),
  prompt_version: z.int(),
  content: z.string(),
  credits_used: z.number(),
  credits_remaining: z.number(),
  usage: Usage,
  model: z.string(),
  locale: z.string(),
  finish_reason: FinishReason,
  /** Of an image run; the links expire. */
  images: z.array(z.object({ media_type: z.string(), url: z.string() })).optional(),
})
export type RunAnswer = z.infer<typeof RunAnswer>

export const Run = z.object({
  run_id: z.string(),
  prompt_id: z.string(),
  prompt_version: z.int(),
  user_id: z.string(),
  key_id: z.string().nullable(),
  request_id: z.string(),
  state: z.enum(['running', 'done', 'failed']),
  locale: z.string(),
  model: z.string().nullable(),
  credits_used: z.number(),
  usage: Usage.nullable(),
  /** True when the model gave no token counts. */
  usage_estimated: z.boolean(),
  finish_reason: FinishReason.nullable(),
  error: z.object({ code: z.string(), detail: z.string() }).nullable(),
  created_at: z.string(),
  duration_ms: z.int().nullable(),
})

export const FactKey = z.string().regex(/^[a-z0-9][a-z0-9_.-]{0,63}$/, {
  error: 'must be a name like "opening_hours"',
})
export const NewFact = z.strictObject({ value: text(1, MAX_FACT_LENGTH) })
export const Fact = z.object({ key: z.string(), value: z.string(), updated_at: z.string() })
