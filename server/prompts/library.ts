import type { Task } from '../models/model.ts'
import type { PlanId } from '../platform/plans.ts'
import { agencies } from './library/agencies.ts'
import { clinics } from './library/clinics.ts'
import { everyone } from './library/everyone.ts'
import { shops } from './library/shops.ts'
import type { PromptKind } from './schema.ts'
import type { Template } from './template.ts'

/** A language in which every prompt of the library is written. */
export type LibraryLocale = 'tr' | 'en'

interface Written {
  title: string
  description: string
  /** What each input is called on a form. */
  labels: Readonly<Record<string, string>>
  /** For the model: `{{name}}` is an input, `{{memory.key}}` a fact of the workspace. */
  template: Template
  instructions?: Template
  /** The finished text, for when no model is there to write a better one. */
  ready?: Template
}

/** A prompt that comes with the product. A change of its texts or its price is a new version. */
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
  /** What the embedded model does when no other one is there; absent where it cannot. */
  task?: Task['name']
  texts: Record<LibraryLocale, Written>
}

/** The library, by name. */
export const LIBRARY: ReadonlyMap<string, LibraryPrompt> = new Map(
  [...everyone, ...clinics, ...agencies, ...shops]
    .toSorted((one, other) => (one.prompt_id < other.prompt_id ? -1 : 1))
    .map((prompt) => [prompt.prompt_id, prompt]),
)
