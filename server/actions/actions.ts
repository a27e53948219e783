import { type Context, type Transaction, transaction } from '../context.ts'
import { encryptSecret, generateSecret, rotateSigningSecret } from '../delivery/signing-secrets.ts'
import { AppError } from '../http/errors.ts'
import { isoTime } from '../http/pagination.ts'
import { newId } from '../lib/ids.ts'
import { standardSecret } from '../lib/standard-webhooks.ts'
import { targetPolicy } from '../net/target.ts'
import { type Actor, recordAudit } from '../platform/audit/audit.ts'
import type { AuditAction, AuditDetails } from '../platform/schema.ts'
import { checkDefinition } from './definition.ts'
import {
  type Action,
  ActionDefinition,
  type ActionPatch,
  type CreatedAction,
  MAX_ACTIONS,
  type NewAction,
} from './schema.ts'
import { MASK, sealedHeaders } from './signed-request.ts'
import {
  type ActionPlace,
  type ActionRow,
  countActions,
  deleteAction,
  findAction,
  insertAction,
  updateAction,
} from './store.ts'

/** A new action with its secret, which is shown once. */
export interface AddedAction {
  row: ActionRow
  secret: string
}

/** Stores new actions of a site, all or none. Throws 422, and 409 beyond the site's number. */
export async function addActions(
  ctx: Context,
  { place, actor }: { place: ActionPlace; actor: Actor },
  list: readonly NewAction[],
): Promise<AddedAction[]> {
  const added: AddedAction[] = []
  for (const action of list) added.push(await newRow(ctx, place, action))
  await transaction(ctx, async (tx) => {
    const count = await countActions(tx.db, place)
    if (count + added.length > MAX_ACTIONS) {
      throw new AppError('conflict', `A site has at most ${MAX_ACTIONS} actions. Delete one first.`)
    }
    for (const { row } of added) {
      await insertAction(tx.db, row)
      const { url, method } = ActionDefinition.parse(JSON.parse(row.definition))
      const details = { method, url: new URL(url).origin }
      await auditAction(tx, row, { actor, action: 'action.created', details })
    }
  })
  return added
}

async function newRow(
  ctx: Context,
  place: ActionPlace,
  { name, headers, active, confirm, ...rest }: NewAction,
): Promise<AddedAction> {
  const definition: ActionDefinition = { ...rest, confirm: confirm ?? rest.method !== 'GET' }
  await checkDefinition(definition, Object.keys(headers), targetPolicy(ctx.config))
  const id = newId('act')
  const secret = generateSecret()
  const now = ctx.now()
  const row: ActionRow = {
    id,
    workspace_id: place.workspaceId,
    tenant_id: place.tenantId,
    name,
    definition: JSON.stringify(definition),
    headers: JSON.stringify(sealHeaders(ctx, id, headers)),
    ...encryptSecret(ctx, id, secret),
    disabled_at: active ? null : now,
    created_at: now,
    updated_at: now,
  }
  return { row, secret }
}

function sealHeaders(
  ctx: Context,
  id: string,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, ctx.secrets.encrypt(value, id)]),
  )
}

/** Changes an action, which ends the dialogs about it. Throws 422, 404 and 409. */
export async function changeAction(
  ctx: Context,
  { row, actor }: { row: ActionRow; actor: Actor },
  patch: ActionPatch,
): Promise<ActionRow> {
  const { name = row.name, headers = {}, active, ...rest } = patch
  const definition = ActionDefinition.parse({ ...JSON.parse(row.definition), ...rest })
  const kept = Object.entries(sealedHeaders(row)).filter(
    ([header]) => !Object.hasOwn(headers, header),
  )
  const given = Object.entries(headers).flatMap(([header, value]) =>
    value === null ? [] : [[header, ctx.secrets.encrypt(value, row.id)] as const],
  )
  const sealed = Object.fromEntries([...kept, ...given])
  await checkDefinition(definition, Object.keys(sealed), targetPolicy(ctx.config))
  const now = ctx.now()
  const values: Partial<ActionRow> = {
    name,
    definition: JSON.stringify(definition),
    headers: JSON.stringify(sealed),
    ...(active === undefined ? {} : { disabled_at: active ? null : (row.disabled_at ?? now) }),
    // Later than before, also for two changes within a millisecond: dialogs refer to it.
    updated_at: Math.max(now, row.updated_at + 1),
  }
  return transaction(ctx, async (tx) => {
    const changed = await update(tx, row, values)
    const details = { fields: Object.keys(patch) }
    await auditAction(tx, row, { actor, action: 'action.changed', details })
    return changed
  })
}

/** Replaces the signing secret; the old one signs beside it for a day. Throws 404 and 409. */
export async function rotateActionSecret(
  ctx: Context,
  { row, actor }: { row: ActionRow; actor: Actor },
): Promise<{ secret: string; previousUntil: number }> {
  const secret = generateSecret()
  const { sealed, previousUntil } = rotateSigningSecret(ctx, row, secret)
  await transaction(ctx, async (tx) => {
    await update(tx, row, sealed)
    await auditAction(tx, row, { actor, action: 'action.secret_rotated' })
  })
  return { secret, previousUntil }
}

/** Deletes an action with its dialogs and its log of calls. */
export async function removeAction(
  ctx: Context,
  { row, actor }: { row: ActionRow; actor: Actor },
): Promise<void> {
  await transaction(ctx, async (tx) => {
    await deleteAction(tx.db, row)
    await auditAction(tx, row, { actor, action: 'action.deleted' })
  })
}

async function update(
  tx: Transaction,
  row: ActionRow,
  values: Partial<ActionRow>,
): Promise<ActionRow> {
  const changed = await updateAction(tx.db, row, values)
  if (changed) return changed
  const place = { workspaceId: row.workspace_id, tenantId: row.tenant_id }
  if (await findAction(tx.db, place, row.id)) {
    throw new AppError('conflict', 'The action was changed at the same moment. Try again.')
  }
  throw new AppError('not_found', 'This action does not exist.')
}

/** Records what was done to an action; never a value, because some hold secrets. */
export function auditAction(
  tx: Transaction,
  { id, workspace_id }: ActionRow,
  entry: { actor: Actor; action: AuditAction; details?: AuditDetails },
): Promise<void> {
  return recordAudit(tx, workspace_id, { ...entry, subject: { type: 'action', id } })
}

export function serializeAction(row: ActionRow): Action {
  return {
    action_id: row.id,
    tenant_id: row.tenant_id,
    name: row.name,
    ...ActionDefinition.parse(JSON.parse(row.definition)),
    headers: Object.fromEntries(Object.keys(sealedHeaders(row)).map((name) => [name, MASK])),
    active: row.disabled_at === null,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  }
}

export function serializeAdded({ row, secret }: AddedAction): CreatedAction {
  return { ...serializeAction(row), secret, standard_secret: standardSecret(secret) }
}
