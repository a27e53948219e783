import { z } from 'zod'
import { addChannel } from '../tenants/tenants.ts'
import { type Context, type Transaction, transaction } from '../context.ts'
import { checkTarget, BLOCK_MESSAGES, targetPolicy } from '../net/target.ts'
import { AppError, type FieldError, invalidFields, pointer, assertOwned } from '../http/errors.ts'
import { isoTime } from '../http/pagination.ts'
import { newId, randomText } from '../lib/ids.ts'
import { type Actor, recordAudit } from '../platform/audit/audit.ts'
import type { AuditAction, AuditDetails } from '../platform/schema.ts'
import type { Channel, ChannelSecrets, HookKind } from './channels/channel.ts'
import { CHANNELS, kindsWith } from './channels/registry.ts'
import type { BillingChange, Integration, IntegrationPatch, NewIntegration } from './schema.ts'
import {
  type IntegrationRow,
  deleteIntegration,
  findIntegration,
  insertIntegration,
  updateIntegration,
} from './store.ts'

const SECRET_LENGTH = 40

const WorkspaceIds = z.array(z.string())
const Settings = z.record(z.string(), z.string())
const Secrets = z.object({ secret: z.string() }).catchall(z.string())

/** The channel of an integration, whose kind the database keeps as text. */
export function channelOf({ kind }: { kind: HookKind }): Channel {
  return CHANNELS[kind]
}

/** The settings that members who manage the workspace may read. */
export function settingsOf(row: IntegrationRow): Record<string, string> {
  return Settings.parse(JSON.parse(row.settings))
}

/** Decrypts the secrets of an integration. Throws when their encryption key is gone. */
export function secretsOf(ctx: Context | Transaction, row: IntegrationRow): ChannelSecrets {
  return Secrets.parse(JSON.parse(ctx.secrets.decrypt(row.secrets, row.id)))
}

/** The workspaces that the payments of an integration may reach. */
export function billedWorkspaces(row: IntegrationRow): readonly string[] {
  if (row.billing_workspaces === null) return [row.workspace_id]
  return WorkspaceIds.parse(JSON.parse(row.billing_workspaces))
}

/**
 * Creates an integration and switches its messaging app on for the tenant. Returns the secret, which
 * is shown this once. Throws 422 for an API address that no customer may choose.
 */
export async function addIntegration(
  ctx: Context,
  who: { workspaceId: string; actor: Actor },
  wanted: NewIntegration,
): Promise<{ row: IntegrationRow; secret: string }> {
  const id = newId('itg')
  const channel = channelOf(wanted)
  const { settings, secrets, customSecret } = splitSettings(ctx, channel, wanted.settings)
  const secret = customSecret ?? randomText(SECRET_LENGTH)
  const now = ctx.now()
  const row: IntegrationRow = {
    id,
    workspace_id: who.workspaceId,
    tenant_id: wanted.tenant_id,
    kind: wanted.kind,
    name: wanted.name ?? wanted.kind,
    settings: JSON.stringify(settings),
    secrets: ctx.secrets.encrypt(JSON.stringify({ ...secrets, secret }), id),
    billing_at: null,
    billing_workspaces: null,
    disabled_at: null,
    created_at: now,
    updated_at: now,
  }
  await transaction(ctx, async (tx) => {
    await insertIntegration(tx.db, row)
    if (channel.messaging) {
      await addChannel(tx, { workspaceId: row.workspace_id, tenantId: row.tenant_id }, channel.kind)
    }
    const details = { kind: row.kind, tenant_id: row.tenant_id }
    await note(tx, row, { actor: who.actor, action: 'integration.created', details })
  })
  return { row, secret }
}

/**
 * Changes an integration; settings that are left out stay. Any change by the workspace ends the
 * permission to bill, because a workspace that controls a billing integration can grant itself
 * credits. Throws 422 for a setting that does not fit its kind, or for a new API address without the
 * token that calls send there, and 409 when another request changed the secrets in between.
 */
export async function changeIntegration(
  ctx: Context,
  { row, actor }: { row: IntegrationRow; actor: Actor },
  patch: IntegrationPatch,
): Promise<IntegrationRow> {
  const now = ctx.now()
  const values: Partial<IntegrationRow> = {
    updated_at: now,
    billing_at: null,
    billing_workspaces: null,
    ...(patch.name === undefined ? {} : { name: patch.name }),
    ...(patch.active === undefined
      ? {}
      : { disabled_at: patch.active ? null : (row.disabled_at ?? now) }),
    ...(patch.settings === undefined ? {} : patchSettings(ctx, row, patch.settings)),
  }
  return transaction(ctx, async (tx) => {
    const changed = await updateIntegration(tx.db, row, values)
    if (!changed) {
      throw new AppError('conflict', 'Another request changed the integration. Try again.')
    }
    const fields = [...Object.keys(patch), ...Object.keys(patch.settings ?? {})]
    await note(tx, row, { actor, action: 'integration.changed', details: { fields } })
    if (row.billing_at !== null) {
      const details = { billing: false }
      await note(tx, row, { actor, action: 'integration.billing_changed', details })
    }
    return changed
  })
}

/** Deletes an integration with its queued work; conversations stay. */
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

/**
 * Allows or forbids payments of an integration to change credits and plans. A permission replaces
 * every secret, so that the workspace knows none; returns the new secret, which is shown once, to the
 * operator. Throws 409 for a kind without payments or after a concurrent change, and 422 for a
 * signing secret that the kind does not have.
 */
export async function changeBilling(
  ctx: Context,
  { row, actor }: { row: IntegrationRow; actor: Actor },
  { billing, workspaces, signing_secret: signingSecret }: BillingChange,
): Promise<{ row: IntegrationRow; secret: string | undefined }> {
  if (!channelOf(row).carriesPayments) {
    const kinds = kindsWith(({ carriesPayments }) => carriesPayments)
    throw new AppError('conflict', `Only ${kinds} integrations report payments.`)
  }
  if (signingSecret !== undefined && !channelOf(row).secretFields.includes('signing_secret')) {
    throw invalidFields([{ path: '/signing_secret', message: `is not a setting of ${row.kind}` }])
  }
  const replacesSecret = billing && (row.billing_at === null || signingSecret !== undefined)
  const secret = replacesSecret ? randomText(SECRET_LENGTH) : undefined
  const secrets =
    secret === undefined ? row.secrets : billingSecrets(ctx, row, secret, signingSecret)
  // Committed before the permission's time is read: events signed with the old secret are older.
  const current = await updateIntegration(ctx.db, row, { secrets })
  const now = ctx.now()
  const listed = workspaces ? JSON.stringify(workspaces) : row.billing_workspaces
  const values: Partial<IntegrationRow> = {
    updated_at: now,
    billing_at: billing ? (row.billing_at ?? now) : null,
    billing_workspaces: billing ? listed : null,
  }
  return transaction(ctx, async (tx) => {
    const changed = current && (await updateIntegration(tx.db, current, values))
    if (!changed)
      throw new AppError('conflict', 'Another request changed the integration. Try again.')
    await note(tx, row, { actor, action: 'integration.billing_changed', details: { billing } })
    return { row: changed, secret }
  })
}

/** Returns the encrypted secrets of a billing integration; no earlier secret stays valid. */
function billingSecrets(
  ctx: Context,
  row: IntegrationRow,
  secret: string,
  signingSecret: string | undefined,
): string {
  const issued = signingSecret === undefined ? {} : { signing_secret: signingSecret }
  return ctx.secrets.encrypt(JSON.stringify({ ...issued, secret }), row.id)
}

/** Loads the workspace's integration. Throws 404 for an unknown one, 403 for another workspace's. */
export async function openIntegration(
  ctx: Context,
  workspaceId: string,
  id: string,
): Promise<IntegrationRow> {
  const row = await findIntegration(ctx.db, id)
  assertOwned(row?.workspace_id, workspaceId, 'integration')
  if (!row) throw new AppError('not_found', 'This integration does not exist.')
  return row
}

/** Serializes an integration for its workspace, without secrets. */
export function showIntegration(ctx: Context, row: IntegrationRow): Integration {
  const secrets = secretsOf(ctx, row)
  return {
    integration_id: row.id,
    kind: row.kind,
    tenant_id: row.tenant_id,
    name: row.name,
    settings: settingsOf(row),
    secrets_set: channelOf(row).secretFields.filter((name) => secrets[name] !== undefined),
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

interface SplitSettings {
  settings: Record<string, string>
  secrets: Record<string, string>
  /** The secret that the customer chose. */
  customSecret: string | undefined
}

/** Separates secrets from readable settings. Throws 422 for an API address that is not allowed. */
function splitSettings(
  ctx: Context,
  channel: Channel,
  given: Record<string, string | undefined>,
): SplitSettings {
  const settings: Record<string, string> = {}
  const secrets: Record<string, string> = {}
  let customSecret: string | undefined
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    if (name === channel.customSecretField) customSecret = value
    else if (channel.secretFields.includes(name)) secrets[name] = value
    else settings[name] = name === 'api_base_url' ? acceptedBase(ctx, value) : value
  }
  return { settings, secrets, customSecret }
}

function patchSettings(
  ctx: Context,
  row: IntegrationRow,
  given: Record<string, unknown>,
): Pick<IntegrationRow, 'settings' | 'secrets'> {
  const channel = channelOf(row)
  const before = { settings: settingsOf(row), secrets: secretsOf(ctx, row) }
  const patch = splitSettings(ctx, channel, validateSettings(channel, given))
  const base = patch.settings.api_base_url
  const isElsewhere = base !== undefined && base !== before.settings.api_base_url
  const token = channel.tokenField
  // A member who may not read the token must not have it sent to a server of their own either.
  if (isElsewhere && token && before.secrets[token] && patch.secrets[token] === undefined) {
    throw invalidFields([
      { path: `/settings/${token}`, message: 'is needed again with another api_base_url' },
    ])
  }
  const custom = patch.customSecret === undefined ? {} : { secret: patch.customSecret }
  const secrets = { ...before.secrets, ...patch.secrets, ...custom }
  return {
    settings: JSON.stringify({ ...before.settings, ...patch.settings }),
    secrets: ctx.secrets.encrypt(JSON.stringify(secrets), row.id),
  }
}

function validateSettings(
  channel: Channel,
  given: Record<string, unknown>,
): Record<string, string | undefined> {
  const parsed = channel.settings.safeParse(given)
  if (parsed.success) return parsed.data
  throw invalidFields(
    parsed.error.issues.flatMap((issue): FieldError[] => {
      const keys = issue.code === 'unrecognized_keys' ? issue.keys : [String(issue.path[0] ?? '')]
      return keys.map((key) => ({ path: `/settings/${pointer(key)}`, message: issue.message }))
    }),
  )
}

/** The API's base URL without a trailing slash, because paths are appended. Throws 422. */
function acceptedBase(ctx: Context, address: string): string {
  const found = checkTarget(address, targetPolicy(ctx.config))
  if (found.ok && found.url.search === '') return found.url.href.replace(/\/+$/, '')
  const message = found.ok ? 'must have no query' : BLOCK_MESSAGES[found.refusal]
  throw invalidFields([{ path: '/settings/api_base_url', message }])
}

function note(
  tx: Transaction,
  { id, workspace_id }: IntegrationRow,
  entry: { actor: Actor; action: AuditAction; details?: AuditDetails },
): Promise<void> {
  return recordAudit(tx, workspace_id, { ...entry, subject: { type: 'integration', id } })
}
