import type { Task } from '../../models/model.ts'
import type { PlanId } from '../../platform/auth/plans.ts'
import type { PromptKind } from '../schema.ts'

/**
 * A text with placeholders, or the parts of one. A part whose placeholder has no value is left out,
 * so that no sentence has a gap.
 */
export type Template = string | readonly string[]

/** A language of the library. */
export type LibraryLocale = 'tr' | 'en'

interface LocalizedText {
  title: string
  description: string
  /** The label of each input on a form. */
  labels: Readonly<Record<string, string>>
  /** For the model: `{{name}}` is an input, `{{memory.key}}` a fact of the workspace. */
  template: Template
  instructions?: Template
  /** The fallback text, for a workspace without a model. */
  ready?: Template
}

/** A prompt of the library. A change of its texts or price needs a new version number. */
export interface LibraryPrompt {
  prompt_id: string
  version: number
  kind: PromptKind
  /** Whole credits; absent for bots. */
  credits_cost?: number
  min_plan: PlanId
  /** JSON Schema 2020-12 of its inputs. */
  inputs_schema: Record<string, unknown>
  max_output_tokens?: number
  /** The embedded model's task; absent for prompts that need another model. */
  task?: Task['name']
  texts: Record<LibraryLocale, LocalizedText>
}
