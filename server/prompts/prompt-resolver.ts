import type { Context, Transaction } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { dialectOf } from '../storage/dialect.ts'
import type { Task } from '../models/model.ts'
import type { PlanId } from '../platform/auth/plans.ts'
import { LIBRARY } from './library.ts'
import type { LibraryLocale, LibraryPrompt, Template } from './library/prompt.ts'
import { PromptDefinition, type PromptKind } from './schema.ts'
import { type StoredPrompt, findPrompt } from './store.ts'
import { parsePlaceholders } from './template.ts'

const DEFAULT_OUTPUT_TOKENS = 1_024
const MAX_CACHED = 500
export const LIBRARY_LOCALES: readonly LibraryLocale[] = ['tr', 'en']

/** A version of a prompt, from the library or the workspace's own, ready to run in a language. */
export interface ResolvedPrompt {
  promptId: string
  version: number
  /** The workspace's own prompt, whose price the workspace sets. */
  isOwn: boolean
  kind: PromptKind
  /** The languages that it is written for; empty: any. */
  locales: readonly string[]
  /** Whole credits; absent for bots. */
  cost: number | undefined
  minPlan: PlanId
  inputsSchema: Record<string, unknown>
  /** The version's name, unique across workspaces and the library. */
  schemaName: string
  template: Template
  instructions: Template | undefined
  model: string | undefined
  maxOutputTokens: number
  task: Task['name'] | undefined
  /** The fallback text, for a model that writes none. */
  ready: Template | undefined
  /** The keys of the workspace facts that the texts name. */
  facts: readonly string[]
}

function resolveLibrary(shipped: LibraryPrompt, locale: string): ResolvedPrompt {
  const { template, instructions, ready } = shipped.texts[libraryLocale(locale)]
  return {
    promptId: shipped.prompt_id,
    version: shipped.version,
    isOwn: false,
    kind: shipped.kind,
    locales: LIBRARY_LOCALES,
    cost: shipped.credits_cost,
    minPlan: shipped.min_plan,
    inputsSchema: shipped.inputs_schema,
    schemaName: `library:${shipped.prompt_id}:${shipped.version}`,
    template,
    instructions,
    model: undefined,
    maxOutputTokens: shipped.max_output_tokens ?? DEFAULT_OUTPUT_TOKENS,
    task: shipped.task,
    ready,
    facts: factsIn(template, instructions, ready),
  }
}

/** Resolves prompts and caches stored versions, which are immutable. */
export class PromptResolver {
  readonly #cache = new Map<string, ResolvedPrompt>()
  /** The version of each prompt that was current at its last read. */
  readonly #last = new Map<string, ResolvedPrompt>()

  /** Returns the current version. Throws 404, also for another workspace's prompt. */
  async open(
    ctx: Context | Transaction,
    workspaceId: string,
    promptId: string,
    locale: string,
  ): Promise<ResolvedPrompt> {
    const shipped = LIBRARY.get(promptId)
    if (shipped) return resolveLibrary(shipped, locale)
    const stored = await findPrompt(ctx.db, workspaceId, promptId)
    if (!stored)
      throw new AppError('not_found', 'This prompt does not exist. See GET /api/v1/prompts.')
    const name = `${workspaceId}:${promptId}:${stored.version}`
    const resolved = this.#cache.get(name) ?? resolveWorkspace(stored, workspaceId)
    remember(this.#cache, name, resolved)
    remember(this.#last, `${workspaceId}:${promptId}`, resolved)
    return resolved
  }

  /**
   * Returns the version that was current at its last read, for a caller that checks later that it still
   * is. `undefined` where a read costs no round trip.
   */
  recall(ctx: Context, workspaceId: string, promptId: string): ResolvedPrompt | undefined {
    if (dialectOf(ctx.db) === 'sqlite' || LIBRARY.has(promptId)) return undefined
    return this.#last.get(`${workspaceId}:${promptId}`)
  }
}

function remember(map: Map<string, ResolvedPrompt>, name: string, prompt: ResolvedPrompt): void {
  if (map.size >= MAX_CACHED && !map.has(name)) map.clear()
  map.set(name, prompt)
}

function resolveWorkspace(stored: StoredPrompt, workspaceId: string): ResolvedPrompt {
  const definition = PromptDefinition.parse(JSON.parse(stored.definition))
  return {
    promptId: stored.prompt_id,
    version: stored.version,
    isOwn: true,
    kind: definition.kind,
    locales: definition.locales ?? [],
    cost: definition.credits_cost,
    minPlan: definition.min_plan ?? 'starter',
    inputsSchema: definition.inputs_schema,
    schemaName: `${workspaceId}:${stored.prompt_id}:${stored.version}`,
    template: definition.template,
    instructions: definition.instructions,
    model: definition.model,
    maxOutputTokens: definition.max_output_tokens ?? DEFAULT_OUTPUT_TOKENS,
    task: definition.kind === 'fixed' ? 'template' : undefined,
    ready: definition.template,
    facts: factsIn(definition.template, definition.instructions),
  }
}

function factsIn(...texts: readonly (Template | undefined)[]): string[] {
  return [...new Set(texts.flatMap((text) => parsePlaceholders(text ?? '').facts))]
}

/** Returns the language of a run that names none: the workspace's, or the nearest of the prompt's. */
export function defaultLocale({ locales }: ResolvedPrompt, ofWorkspace: string): string {
  if (locales.length === 0 || locales.includes(ofWorkspace)) return ofWorkspace
  const [language = ''] = ofWorkspace.split('-')
  const near = locales.find((locale) => locale.split('-')[0] === language)
  return near ?? locales.find((locale) => locale === 'en') ?? locales[0] ?? ofWorkspace
}

/** Returns the library's language for a locale: Turkish for Turkish, else English. */
export function libraryLocale(locale: string): LibraryLocale {
  return LIBRARY_LOCALES.find((known) => locale.startsWith(known)) ?? 'en'
}
