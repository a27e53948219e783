import { type Context, type Transaction, transaction } from '../context.ts'
import { AppError, type FieldError, invalidFields } from '../http/errors.ts'
import { isoTime } from '../http/pagination.ts'
import { type Actor, recordAudit } from '../platform/audit/audit.ts'
import type { AuditAction } from '../platform/schema.ts'
import { availabilityFor } from './availability.ts'
import { schemaErrors } from './inputs.ts'
import { checkModelName } from './installation-models.ts'
import { LIBRARY } from './library.ts'
import type { LibraryPrompt } from './library/prompt.ts'
import { LIBRARY_LOCALES, libraryLocale } from './prompt-resolver.ts'
import { type NewPrompt, type Prompt, PromptDefinition, type PromptVersion } from './schema.ts'
import {
  type StoredPrompt,
  countPrompts,
  findPrompt,
  insertVersion,
  listPrompts,
  listVersions,
  removePrompt,
  claimName,
  nextVersion,
} from './store.ts'
import { parsePlaceholders, joinParts } from './template.ts'

const MAX_PROMPTS = 1_000
/** Names that other routes use. */
const RESERVED = new Set(['execute'])

/** Returns a prompt as the API shows it. Throws 404. */
export async function readPrompt(
  ctx: Context,
  workspaceId: string,
  promptId: string,
  locale: string,
): Promise<Prompt> {
  const availability = await availabilityFor(ctx, workspaceId)
  const shipped = LIBRARY.get(promptId)
  if (shipped) return serializeLibraryPrompt(shipped, locale, availability)
  const stored = await findPrompt(ctx.db, workspaceId, promptId)
  if (!stored) throw new AppError('not_found', 'This prompt does not exist.')
  return serializeStoredPrompt(stored, availability)
}

/** Returns a page of the library's and the workspace's prompts, by name. */
export async function listAllPrompts(
  ctx: Context,
  workspaceId: string,
  page: { after: string; limit: number; locale: string },
): Promise<Prompt[]> {
  const availability = await availabilityFor(ctx, workspaceId)
  const own = await listPrompts(ctx.db, workspaceId, page)
  const shipped = [...LIBRARY.values()].filter(({ prompt_id }) => prompt_id > page.after)
  return [
    ...own.map((prompt) => serializeStoredPrompt(prompt, availability)),
    ...shipped.map((prompt) => serializeLibraryPrompt(prompt, page.locale, availability)),
  ]
    .toSorted((one, other) => (one.prompt_id < other.prompt_id ? -1 : 1))
    .slice(0, page.limit)
}

/** Returns a page of the versions of the workspace's prompt, newest first. Throws 404. */
export async function listPromptVersions(
  ctx: Context,
  workspaceId: string,
  promptId: string,
  page: { limit: number; before: number | undefined },
): Promise<PromptVersion[]> {
  if (!(await findPrompt(ctx.db, workspaceId, promptId))) {
    throw new AppError('not_found', 'The workspace has no prompt with this name.')
  }
  const rows = await listVersions(ctx.db, workspaceId, { promptId, ...page })
  return rows.map(({ version, created_at: createdAt, definition }) => ({
    version,
    created_at: isoTime(createdAt),
    definition: PromptDefinition.parse(JSON.parse(definition)),
  }))
}

type AvailabilityOf = Awaited<ReturnType<typeof availabilityFor>>

function serializeLibraryPrompt(
  shipped: LibraryPrompt,
  locale: string,
  availability: AvailabilityOf,
): Prompt {
  const { title, description, labels, template, instructions } =
    shipped.texts[libraryLocale(locale)]
  return {
    prompt_id: shipped.prompt_id,
    version: shipped.version,
    source: 'library',
    title,
    description,
    kind: shipped.kind,
    credits_cost: shipped.credits_cost ?? null,
    inputs_schema: withLabels(shipped.inputs_schema, labels),
    locales: [...LIBRARY_LOCALES],
    min_plan: shipped.min_plan,
    template: joinParts(template),
    instructions: instructions === undefined ? null : joinParts(instructions),
    model: null,
    max_output_tokens: shipped.max_output_tokens ?? null,
    ...availability({
      kind: shipped.kind,
      model: undefined,
      hasTask: shipped.task !== undefined,
    }),
  }
}

/** Returns the schema with a title per input, from which clients build a form. */
function withLabels(
  schema: Record<string, unknown>,
  labels: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const { properties } = schema
  if (typeof properties !== 'object' || properties === null) return schema
  const shown = Object.entries(properties).map(([name, property]: [string, unknown]) => [
    name,
    typeof property === 'object' ? { title: labels[name] ?? name, ...property } : property,
  ])
  return { ...schema, properties: Object.fromEntries(shown) }
}

function serializeStoredPrompt(stored: StoredPrompt, availability: AvailabilityOf): Prompt {
  const definition = PromptDefinition.parse(JSON.parse(stored.definition))
  return {
    prompt_id: stored.prompt_id,
    version: stored.version,
    source: 'workspace',
    title: definition.title,
    description: null,
    kind: definition.kind,
    credits_cost: definition.credits_cost ?? null,
    inputs_schema: definition.inputs_schema,
    locales: definition.locales ?? [],
    min_plan: definition.min_plan ?? 'starter',
    template: definition.template,
    instructions: definition.instructions ?? null,
    model: definition.model ?? null,
    max_output_tokens: definition.max_output_tokens ?? null,
    ...availability({
      kind: definition.kind,
      model: definition.model,
      hasTask: definition.kind === 'fixed',
    }),
  }
}

/**
 * Stores the first version of a prompt. Throws 422 for an unusable schema or template, and 409 for a
 * name that the library or the workspace already uses.
 */
export async function addPrompt(
  ctx: Context,
  workspaceId: string,
  { prompt_id: promptId, ...definition }: NewPrompt,
  actor: Actor,
): Promise<Prompt> {
  if (RESERVED.has(promptId)) {
    throw invalidFields([{ path: '/prompt_id', message: `"${promptId}" is reserved` }])
  }
  await checkDefinition(definition)
  await checkModelName(ctx, workspaceId, definition)
  if (LIBRARY.has(promptId)) {
    throw new AppError(
      'conflict',
      'The library already has a prompt with this name. Choose another name.',
    )
  }
  const availability = await availabilityFor(ctx, workspaceId)
  return transaction(ctx, async (tx) => {
    if ((await countPrompts(tx.db, workspaceId)) >= MAX_PROMPTS) {
      throw new AppError(
        'conflict',
        `A workspace can have at most ${MAX_PROMPTS} prompts. Delete others first.`,
      )
    }
    const version = await claimName(tx.db, workspaceId, promptId, tx.now())
    if (version === undefined) {
      throw new AppError(
        'conflict',
        'The workspace already has a prompt with this name. Use PUT to change it.',
      )
    }
    await recordChange(tx, workspaceId, actor, { action: 'prompt.created', promptId, version })
    const stored = await saveVersion(tx, workspaceId, { promptId, version, definition })
    return serializeStoredPrompt(stored, availability)
  })
}

/** Stores the next version of the workspace's prompt. Throws 404, and 403 for the library's. */
export async function changePrompt(
  ctx: Context,
  workspaceId: string,
  { promptId, definition }: { promptId: string; definition: PromptDefinition },
  actor: Actor,
): Promise<Prompt> {
  await checkDefinition(definition)
  await checkModelName(ctx, workspaceId, definition)
  assertNotShipped(promptId)
  const availability = await availabilityFor(ctx, workspaceId)
  return transaction(ctx, async (tx) => {
    const version = await nextVersion(tx.db, workspaceId, promptId, tx.now())
    if (version === undefined) throw new AppError('not_found', 'This prompt does not exist.')
    await recordChange(tx, workspaceId, actor, { action: 'prompt.changed', promptId, version })
    const stored = await saveVersion(tx, workspaceId, { promptId, version, definition })
    return serializeStoredPrompt(stored, availability)
  })
}

/** Removes a workspace's prompt from use. Throws 404, and 403 for the library's. */
export async function removeStoredPrompt(
  ctx: Context,
  workspaceId: string,
  promptId: string,
  actor: Actor,
): Promise<void> {
  assertNotShipped(promptId)
  await transaction(ctx, async (tx) => {
    const isRemoved = await removePrompt(tx.db, workspaceId, promptId, tx.now())
    if (!isRemoved) throw new AppError('not_found', 'This prompt does not exist.')
    await recordChange(tx, workspaceId, actor, { action: 'prompt.removed', promptId })
  })
}

function recordChange(
  tx: Transaction,
  workspaceId: string,
  actor: Actor,
  { action, promptId, version }: { action: AuditAction; promptId: string; version?: number },
): Promise<void> {
  const details = version === undefined ? {} : { version }
  return recordAudit(tx, workspaceId, {
    actor,
    action,
    subject: { type: 'prompt', id: promptId },
    details,
  })
}

function assertNotShipped(promptId: string): void {
  if (!LIBRARY.has(promptId)) return
  throw new AppError('forbidden', 'Library prompts cannot be changed. Create your own.')
}

async function saveVersion(
  tx: Transaction,
  workspaceId: string,
  {
    promptId,
    version,
    definition,
  }: { promptId: string; version: number; definition: PromptDefinition },
): Promise<StoredPrompt> {
  const stored = { prompt_id: promptId, version, definition: JSON.stringify(definition) }
  await insertVersion(tx.db, { ...stored, workspace_id: workspaceId, created_at: tx.now() })
  return stored
}

/** Throws 422 for an unusable schema, and for placeholders that the schema does not declare. */
async function checkDefinition(definition: PromptDefinition): Promise<void> {
  const faults: FieldError[] = []
  for (const message of await schemaErrors(definition.inputs_schema)) {
    faults.push({ path: '/inputs_schema', message })
  }
  const { properties } = definition.inputs_schema
  if (typeof properties === 'object' && properties !== null) {
    for (const field of ['template', 'instructions'] as const) {
      for (const name of parsePlaceholders(definition[field] ?? '').inputs) {
        if (Object.hasOwn(properties, name)) continue
        const message = `asks for {{${name}}}, which inputs_schema does not name`
        faults.push({ path: `/${field}`, message })
      }
    }
  }
  if (faults.length > 0) throw invalidFields(faults)
}
