import { z } from 'zod'
import { addChannel } from '../chat/tenants.ts'
import { type Context, type Transaction, transaction } from '../context.ts'
import { judgeTarget, REFUSALS, targetPolicy } from '../delivery/target.ts'
import { AppError, type FieldError, invalidFields, pointer, refuseForeign } from '../http/errors.ts'
import { isoTime } from '../http/pages.ts'
import { newId, randomText } from '../lib/ids.ts'
import { type Actor, recordAudit } from '../platform/audit.ts'
import type { AuditDetails } from '../platform/schema.ts'
import {
  type HookKind,
  type Integration,
  type IntegrationPatch,
  type NewIntegration,
  SETTINGS,
} from './schema.ts'
import {
  type IntegrationRow,
  deleteIntegration,
  findIntegration,
  insertIntegration,
  updateIntegration,
} from './store.ts'

const SECRET_LENGTH = 40
/** Settings that are sealed and never shown again. */
const SEALED = new Set(['access_token', 'app_secret', 'bot_token', 'signing_secret'])
/** The names under which a customer may choose the secret that we would make. */
const OWN_SECRETS = new Set(['verify_token', 'secret_token', 'secret'])

const Open = z.record(z.string(), z.string())
/** `secret` is the one that was made here, or chosen in its place. */
const Sealed = z.object({
  secret: z.string(),
  access_token: z.string().optional(),
  app_secret: z.string().optional(),
  bot_token: z.string().optional(),
  signing_secret: z.string().optional(),
})
export type IntegrationSecrets = z.infer<typeof Sealed>

/** What everyone who manages the workspace may read. */
export function settingsOf(row: IntegrationRow): Record<string, string> {
  return Open.parse(JSON.parse(row.settings))
}

/** Opens the secrets of an integration. Throws when they were sealed with a key that is gone. */
export function secretsOf(ctx: Context | Transaction, row: IntegrationRow): IntegrationSecrets {
  return Sealed.parse(JSON.parse(ctx.secrets.unseal(row.secrets, row.id)))
}

/** Opens an integration; the answered secret is shown this once. Throws 422. */
export async function addIntegration(
  ctx: Context,
  who: { workspaceId: string; actor: Actor },
  wanted: NewIntegration,
): Promise<{ row: IntegrationRow; secret: string }> {
  const id = newId('itg')
  const { open, sealed, own } = parted(ctx, wanted.settings)
  const secret = own ?? randomText(SECRET_LENGTH)
  const now = ctx.now()
  const row: IntegrationRow = {
    id,
    workspace_id: who.workspaceId,
    tenant_id: wanted.tenant_id,
    kind: wanted.kind,
    name: wanted.name ?? wanted.kind,
    settings: JSON.stringify(open),
    secrets: ctx.secrets.seal(JSON.stringify({ ...sealed, secret }), id),
    billing_at: null,
    disabled_at: null,
    created_at: now,
    updated_at: now,
  }
  await transaction(ctx, async (tx) => {
    await insertIntegration(tx.db, row)
    if (row.kind !== 'stripe' && row.kind !== 'generic') {
      await addChannel(tx, { workspaceId: row.workspace_id, tenantId: row.tenant_id }, row.kind)
    }
    const details = { kind: row.kind, tenant_id: row.tenant_id }
    await note(tx, row, { actor: who.actor, action: 'integration.created', details })
  })
  return { row, secret }
}

/**
 * Changes an integration; settings that are left out stay. Throws 422 for a setting that does not
 * fit its kind, and for another API address without the token that is to be sent there.
 */
export async function changeIntegration(
  ctx: Context,
  { row, actor }: { row: IntegrationRow; actor: Actor },
  patch: IntegrationPatch,
): Promise<IntegrationRow> {
  const now = ctx.now()
  const values: Partial<IntegrationRow> = {
    updated_at: now,
    ...(patch.name === undefined ? {} : { name: patch.name }),
    ...(patch.active === undefined
      ? {}
      : { disabled_at: patch.active ? null : (row.disabled_at ?? now) }),
    ...(patch.settings === undefined ? {} : settingsAfter(ctx, row, patch.settings)),
  }
  return transaction(ctx, async (tx) => {
    const changed = await updateIntegration(tx.db, row, values)
    if (!changed) {
      throw new AppError('conflict', 'The integration was changed at the same moment. Try again.')
    }
    const fields = [...Object.keys(patch), ...Object.keys(patch.settings ?? {})]
    await note(tx, row, { actor, action: 'integration.changed', details: { fields } })
    return changed
  })
}

/** Removes an integration with all that waits for it; conversations stay. */
export async function removeIntegration(
  ctx: Context,
  { row, actor }: { row: IntegrationRow; actor: Actor },
): Promise<void> {
  await transaction(ctx, async (tx) => {
    await deleteIntegration(tx.db, row)
    const details = { kind: row.kind, tenant_id: row.tenant_id }
    await note(tx, row, { actor, action: 'integration.deleted', details })
  })
}

/** Lets the payments of an integration change credits and plans, or ends that. */
export async function changeBilling(
  ctx: Context,
  { row, actor }: { row: IntegrationRow; actor: Actor },
  billing: boolean,
): Promise<IntegrationRow> {
  if (row.kind !== 'stripe' && row.kind !== 'generic') {
    throw new AppError('conflict', 'Only stripe and generic integrations tell of payments.')
  }
  const now = ctx.now()
  return transaction(ctx, async (tx) => {
    const billingAt = billing ? (row.billing_at ?? now) : null
    const changed = await updateIntegration(tx.db, row, { billing_at: billingAt, updated_at: now })
    if (!changed) throw new AppError('conflict', 'The integration was changed. Try again.')
    await note(tx, row, { actor, action: 'integration.billing_changed', details: { billing } })
    return changed
  })
}

/** The workspace's integration. Throws 404 for an unknown one, 403 for another workspace's. */
export async function openIntegration(
  ctx: Context,
  workspaceId: string,
  id: string,
): Promise<IntegrationRow> {
  const row = await findIntegration(ctx.db, id)
  refuseForeign(row?.workspace_id, workspaceId, 'integration')
  if (!row) throw new AppError('not_found', 'There is no such integration.')
  return row
}

/** An integration as its workspace sees it. */
export function showIntegration(ctx: Context, row: IntegrationRow): Integration {
  const { secret: _, ...sealed } = secretsOf(ctx, row)
  return {
    integration_id: row.id,
    kind: row.kind,
    tenant_id: row.tenant_id,
    name: row.name,
    settings: settingsOf(row),
    secrets_set: Object.keys(sealed),
    url: `${publicUrl(ctx)}/api/v1/hooks/${row.kind}/${row.id}`,
    active: row.disabled_at === null,
    billing: row.billing_at !== null,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  }
}

function publicUrl({ config }: Context): string {
  return config.publicUrl ?? `http://localhost:${config.port}`
}

interface Parted {
  open: Record<string, string>
  sealed: Omit<IntegrationSecrets, 'secret'>
  /** The secret that the customer chose. */
  own: string | undefined
}

/** Parts what may be read again from what may not. Throws 422 for an address nobody may choose. */
function parted(ctx: Context, settings: Record<string, string | undefined>): Parted {
  const open: Record<string, string> = {}
  const sealed: Record<string, string> = {}
  let own: string | undefined
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined) continue
    if (OWN_SECRETS.has(name)) own = value
    else if (SEALED.has(name)) sealed[name] = value
    else open[name] = name === 'api_base_url' ? acceptedBase(ctx, value) : value
  }
  return { open, sealed, own }
}

function settingsAfter(
  ctx: Context,
  row: IntegrationRow,
  given: Record<string, unknown>,
): Pick<IntegrationRow, 'settings' | 'secrets'> {
  const { open, sealed, own } = parted(ctx, judged(row.kind, given))
  const before = { open: settingsOf(row), sealed: secretsOf(ctx, row) }
  const isElsewhere =
    open.api_base_url !== undefined && open.api_base_url !== before.open.api_base_url
  const token = row.kind === 'telegram' ? 'bot_token' : 'access_token'
  // Who may not read the token must not have it sent to a server of theirs either.
  if (isElsewhere && before.sealed[token] !== undefined && sealed[token] === undefined) {
    throw invalidFields([
      { path: `/settings/${token}`, message: 'is needed again with another api_base_url' },
    ])
  }
  const secrets = { ...before.sealed, ...sealed, ...(own === undefined ? {} : { secret: own }) }
  return {
    settings: JSON.stringify({ ...before.open, ...open }),
    secrets: ctx.secrets.seal(JSON.stringify(secrets), row.id),
  }
}

function judged(kind: HookKind, given: Record<string, unknown>): Record<string, string> {
  const schema: z.ZodType<Record<string, string | undefined>> = SETTINGS[kind]
  const parsed = schema.safeParse(given)
  if (!parsed.success) {
    throw invalidFields(
      parsed.error.issues.flatMap((issue): FieldError[] => {
        const keys = issue.code === 'unrecognized_keys' ? issue.keys : [String(issue.path[0] ?? '')]
        return keys.map((key) => ({ path: `/settings/${pointer(key)}`, message: issue.message }))
      }),
    )
  }
  return Object.fromEntries(
    Object.entries(parsed.data).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
}

/** Without a slash at its end: paths are put behind it. */
function acceptedBase(ctx: Context, address: string): string {
  const found = judgeTarget(address, targetPolicy(ctx.config))
  if (found.ok && found.url.search === '') return found.url.href.replace(/\/+$/, '')
  const message = found.ok ? 'must have no query' : REFUSALS[found.refusal]
  throw invalidFields([{ path: '/settings/api_base_url', message }])
}

function note(
  tx: Transaction,
  { id, workspace_id }: IntegrationRow,
  deed: { actor: Actor; action: string; details?: AuditDetails },
): Promise<void> {
  return recordAudit(tx, workspace_id, { ...deed, subject: { type: 'integration', id } })
}
