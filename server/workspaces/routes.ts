import { type Context, type Transaction, transaction } from '../context.ts'
import { emit } from '../events.ts'
import { ANY_USER, managers } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { isoTime } from '../http/pagination.ts'
import { actorOf, recordAudit } from '../platform/audit/audit.ts'
import { requireMember } from '../platform/auth/authenticator.ts'
import { findWorkspace } from '../platform/auth/store.ts'
import {
  mergeChoices,
  mergeEmbedding,
  serializeChoice,
  serializeEmbedding,
} from './model-choices.ts'
import { type NewEmbeddingChoice, SettingsPatch, WorkspaceSettings } from './schema.ts'
import {
  deleteEmbeddingChoice,
  findEmbeddingChoice,
  listChoices,
  saveChoices,
  saveEmbeddingChoice,
  updateWorkspace,
} from './store.ts'
import { findBalance, saveWarning } from '../credits/store.ts'
import { toCredits, toMilli } from '../lib/money.ts'
import { closesAt } from './closing.ts'
import { readQuotas } from '../quotas/quotas.ts'

const read = {
  config: { access: ANY_USER, pool: 'default' },
  schema: {
    summary: 'Get name, locale, time zone, models and quotas of the workspace',
    tags: ['Workspace'],
    response: { 200: WorkspaceSettings },
  },
} as const

const change = {
  config: { access: managers('prompts:manage'), pool: 'default' },
  schema: {
    summary: 'Change the given settings of the workspace',
    tags: ['Workspace'],
    body: SettingsPatch,
    response: { 200: WorkspaceSettings },
  },
} as const

/** The settings of the caller's own workspace. */
export function workspaceRoutes(app: App, ctx: Context): void {
  app.get('/api/v1/workspace', read, async (request) =>
    serializeSettings(ctx, requireMember(request).workspaceId),
  )

  app.patch('/api/v1/workspace', change, async (request) => {
    const { workspaceId } = requireMember(request)
    const { name, locale, time_zone, embedding } = request.body
    const values = {
      ...(name === undefined ? {} : { name }),
      ...(locale === undefined ? {} : { locale }),
      ...(time_zone === undefined ? {} : { time_zone }),
    }
    const { credit_warning: warning } = request.body
    await transaction(ctx, async (tx) => {
      if (warning !== undefined) {
        await saveWarning(tx.db, workspaceId, warning === null ? null : toMilli(warning))
      }
      const before = await listChoices(tx.db, workspaceId)
      const choices = mergeChoices(ctx, workspaceId, before, request.body)
      if (Object.keys(values).length > 0) await updateWorkspace(tx.db, workspaceId, values)
      if (choices) await saveChoices(tx.db, workspaceId, choices, tx.now())
      if (embedding !== undefined) await changeEmbedding(tx, workspaceId, embedding)
      // A local model keeps passages from being embedded, and another one lets them again.
      if (choices || embedding !== undefined) {
        await emit(tx, 'embedding.changed', { workspaceId, data: {} })
      }
      await recordAudit(tx, workspaceId, {
        actor: actorOf(request),
        action: 'workspace.changed',
        details: { fields: Object.keys(request.body) },
      })
    })
    ctx.models.invalidate(workspaceId)
    ctx.embeddings.invalidate(workspaceId)
    return serializeSettings(ctx, workspaceId)
  })
}

async function changeEmbedding(
  tx: Transaction,
  workspaceId: string,
  wanted: NewEmbeddingChoice | null,
): Promise<void> {
  if (wanted) {
    const before = await findEmbeddingChoice(tx.db, workspaceId)
    await saveEmbeddingChoice(tx.db, mergeEmbedding(tx, workspaceId, before, wanted))
  } else await deleteEmbeddingChoice(tx.db, workspaceId)
}

/** Returns a workspace's settings as its members see them. */
async function serializeSettings(ctx: Context, workspaceId: string): Promise<WorkspaceSettings> {
  const workspace = await findWorkspace(ctx.db, workspaceId)
  if (!workspace) throw new Error('The caller has no workspace.')
  const [model, ...fallbacks] = await listChoices(ctx.db, workspaceId)
  const embedding = await findEmbeddingChoice(ctx.db, workspaceId)
  const { warning = null } = (await findBalance(ctx.db, workspaceId)) ?? {}
  return {
    ws_id: workspace.id,
    name: workspace.name,
    plan: workspace.plan,
    locale: workspace.locale,
    time_zone: workspace.time_zone,
    model: model ? serializeChoice(model) : null,
    fallback_models: fallbacks.map(serializeChoice),
    embedding: embedding ? serializeEmbedding(embedding) : null,
    credit_warning: warning === null ? null : toCredits(warning),
    closes_at: closesAt(workspace),
    quotas: await readQuotas(ctx, workspace),
    created_at: isoTime(workspace.created_at),
  }
}
