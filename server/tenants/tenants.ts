import { type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { Transaction } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { isoTime } from '../http/pagination.ts'
import type { Cursor } from '../lib/cursor.ts'
import { keysetBefore } from '../storage/keyset.ts'
import { newId, randomText } from '../lib/ids.ts'
import { type Milli, toCredits, toMilli } from '../lib/money.ts'
import { emit } from '../events.ts'
import { DEFAULT_ANSWER_THRESHOLD } from '../models/embedded/answers/confidence.ts'
import { reserveQuota } from '../quotas/quotas.ts'
import type { Db, Tables, TxDb } from '../storage/database.ts'
import { dialectOf } from '../storage/dialect.ts'
import { prepared } from '../storage/prepared.ts'
import { cachedRead } from '../storage/read-cache.ts'
import type { WidgetConfig } from './schema.ts'
import { claimSlug } from './store.ts'
import {
  storedAbuse,
  storedAssistant,
  storedChannels,
  storedForms,
  storedHours,
  storedOrigins,
  storedPrivacy,
  storedReplies,
  storedSynonyms,
} from './stored-settings.ts'
import { localizeReplies, localizeText, parseStoredText, toStoredText } from './texts.ts'
import {
  type Abuse,
  type Assistant,
  type AppointmentForm,
  type ChannelName,
  ContactPart,
  type NewTenant,
  type Privacy,
  Tenant,
  type TenantPatch,
  type Theme,
} from './schema.ts'

export type TenantRow = Selectable<Tables['tenants']>

const DEFAULT_SLOT_MINUTES = 30
const DEFAULT_HANDOFF_TIMEOUT_SECONDS = 120
const IDENTITY_SECRET_LENGTH = 40

const readTenant = cachedRead<TenantRow>(
  ['tenants'],
  (id) => prepared`select * from tenants where id = ${id}`,
)

export async function findTenant(db: Db, id: string): Promise<Readonly<TenantRow> | undefined> {
  const [row] = await readTenant(db, id)
  return row
}

export async function listTenants(
  db: Db,
  workspaceId: string,
  page: { limit: number; after: Cursor | undefined },
): Promise<TenantRow[]> {
  return db
    .selectFrom('tenants')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where(keysetBefore('created_at', page.after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
}

/**
 * Inserts a tenant. Fields that are left out take the workspace's locale and zone, or a default.
 * Throws 409 for a taken `tenant_id`, and 402 when the plan has no site left.
 */
export async function addTenant(
  ctx: Transaction,
  workspace: { id: string; locale: string; time_zone: string },
  wanted: NewTenant,
): Promise<TenantRow> {
  const now = ctx.now()
  const row: TenantRow = {
    id: wanted.tenant_id,
    workspace_id: workspace.id,
    chatbot_id: newId('bot'),
    name: wanted.name,
    sector: '',
    locale: workspace.locale,
    time_zone: workspace.time_zone,
    handoff: 'offer',
    handoff_timeout_seconds: DEFAULT_HANDOFF_TIMEOUT_SECONDS,
    allowed_origins: '[]',
    theme: '{}',
    greeting: '',
    quick_replies: '[]',
    answer_threshold: DEFAULT_ANSWER_THRESHOLD,
    office_hours: '{}',
    slot_minutes: DEFAULT_SLOT_MINUTES,
    forms: '{}',
    channels: '["widget"]',
    privacy: '{}',
    abuse: '{}',
    attachments: 0,
    assistant: '{}',
    synonyms: '[]',
    mcp: 'off',
    daily_credit_cap: null,
    has_own_cap: 0,
    tried_at: null,
    identity_secret: ctx.secrets.encrypt(randomText(IDENTITY_SECRET_LENGTH), wanted.tenant_id),
    disabled_at: null,
    // Above any version of a removed tenant with this slug, so that no search index of its
    // passages, in this process or another, passes for an index of the new tenant.
    knowledge_version: now,
    created_at: now,
    updated_at: now,
    ...toStoredFields(wanted, now),
  }
  const isClaimed = await claimSlug(ctx, { tenantId: row.id, workspaceId: workspace.id })
  if (!isClaimed) throw slugTakenError()
  await reserveQuota(ctx, workspace.id, { sites: 1 })
  const inserted = await ctx.db
    .insertInto('tenants')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) throw slugTakenError()
  return row
}

function slugTakenError(): AppError {
  return new AppError('conflict', 'This tenant_id is taken. Choose another one.')
}

/** Updates the given fields; returns the updated row. */
export async function changeTenant(
  ctx: Transaction,
  row: TenantRow,
  change: TenantPatch,
): Promise<TenantRow> {
  const values = { ...toStoredFields(change, ctx.now()), updated_at: ctx.now() }
  await ctx.db
    .updateTable('tenants')
    .set(values)
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .execute()
  return { ...row, ...values }
}

/**
 * Removes a site and everything that belongs to it. The handlers of `tenant.removed` run first, while
 * the rows of the site still exist. The lock on the site's row makes a new session wait for the end
 * of the transaction, and then fail.
 */
export async function removeTenant(
  tx: Transaction,
  { workspace_id: workspaceId, id }: TenantRow,
): Promise<void> {
  // First: turns lock the site's day before they refer to its row, or lock a session.
  await sql`
    delete from tenant_spent
    where workspace_id = ${workspaceId} and tenant_id = ${id}`.execute(tx.db)
  await lockTenant(tx.db, workspaceId, id)
  await emit(tx, 'tenant.removed', { workspaceId, data: { tenant_id: id } })
  await tx.db
    .deleteFrom('tenants')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Locks the tenant's row on Postgres; SQLite has a single writer. */
async function lockTenant(db: TxDb, workspaceId: string, id: string): Promise<void> {
  const lock = dialectOf(db) === 'postgres' ? sql`for update` : sql``
  await sql`
    select id from tenants where workspace_id = ${workspaceId} and id = ${id} ${lock}`.execute(db)
}

/** Returns the columns of the given fields. */
function toStoredFields(given: TenantPatch, now: number): Partial<TenantRow> {
  const row: Partial<TenantRow> = {}
  if (given.name !== undefined) row.name = given.name
  if (given.sector !== undefined) row.sector = given.sector
  if (given.locale !== undefined) row.locale = given.locale
  if (given.time_zone !== undefined) row.time_zone = given.time_zone
  if (given.handoff !== undefined) row.handoff = given.handoff
  if (given.handoff_timeout_seconds !== undefined) {
    row.handoff_timeout_seconds = given.handoff_timeout_seconds
  }
  if (given.allowed_origins) row.allowed_origins = JSON.stringify(given.allowed_origins)
  if (given.theme) row.theme = JSON.stringify(given.theme)
  if (given.greeting !== undefined) row.greeting = toStoredText(given.greeting)
  if (given.quick_replies) row.quick_replies = JSON.stringify(given.quick_replies)
  if (given.answer_threshold !== undefined) row.answer_threshold = given.answer_threshold
  if (given.office_hours) row.office_hours = JSON.stringify(given.office_hours)
  if (given.slot_minutes !== undefined) row.slot_minutes = given.slot_minutes
  if (given.forms) row.forms = JSON.stringify(given.forms)
  if (given.channels) row.channels = JSON.stringify(given.channels)
  if (given.privacy) row.privacy = JSON.stringify(given.privacy)
  if (given.abuse) row.abuse = JSON.stringify(given.abuse)
  if (given.attachments !== undefined) row.attachments = given.attachments ? 1 : 0
  if (given.synonyms) row.synonyms = JSON.stringify(given.synonyms)
  if (given.mcp !== undefined) row.mcp = given.mcp
  if (given.assistant) row.assistant = JSON.stringify(given.assistant)
  if (given.daily_credit_cap !== undefined) {
    row.daily_credit_cap = given.daily_credit_cap === null ? null : toMilli(given.daily_credit_cap)
    row.has_own_cap = 1
  }
  if (given.active !== undefined) row.disabled_at = given.active ? null : now
  return row
}

/** Returns the tenant as its workspace sees it, with the cap that is in force. */
export function serializeTenant(row: TenantRow, dailyCap: Milli | null): Tenant {
  const cap = dailyCap === null ? null : toCredits(dailyCap)
  return { ...parseTenant(row), daily_credit_cap: cap }
}

const StoredTenant = Tenant.omit({ daily_credit_cap: true })

/** Returns the settings of a tenant as they are stored. */
export function parseTenant(row: TenantRow): z.infer<typeof StoredTenant> {
  return StoredTenant.parse({
    tenant_id: row.id,
    chatbot_id: row.chatbot_id,
    name: row.name,
    sector: row.sector,
    locale: row.locale,
    time_zone: row.time_zone,
    handoff: row.handoff,
    handoff_timeout_seconds: row.handoff_timeout_seconds,
    allowed_origins: JSON.parse(row.allowed_origins),
    theme: JSON.parse(row.theme),
    greeting: parseStoredText(row.greeting),
    quick_replies: JSON.parse(row.quick_replies),
    answer_threshold: row.answer_threshold,
    office_hours: JSON.parse(row.office_hours),
    slot_minutes: row.slot_minutes,
    forms: JSON.parse(row.forms),
    channels: JSON.parse(row.channels),
    privacy: JSON.parse(row.privacy),
    abuse: JSON.parse(row.abuse),
    attachments: row.attachments === 1,
    assistant: JSON.parse(row.assistant),
    synonyms: JSON.parse(row.synonyms),
    mcp: row.mcp,
    active: row.disabled_at === null,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  })
}

/** Returns the origins that may embed the widget; an empty list allows any. */
export function originsOf(row: TenantRow): string[] {
  return storedOrigins(row.allowed_origins)
}

/** Returns the settings of the contact form, with defaults, and its text in a locale. */
export function leadFormOf(
  row: TenantRow,
  locale: string = row.locale,
): {
  enabled: boolean
  consent_text: string
  verify_email: boolean
  required: ContactPart[]
} {
  const { lead } = storedForms(row.forms)
  const { enabled = true, consent_text = '', verify_email = false } = lead ?? {}
  const { required = ContactPart.options } = lead ?? {}
  const text = localizeText(consent_text, { locale, own: row.locale })
  return { enabled, consent_text: text, verify_email, required: [...required] }
}

/** Returns the tenant's privacy settings. */
export function privacyOf(row: TenantRow): Privacy {
  return storedPrivacy(row.privacy)
}

/**
 * Returns whether the bot answers in a channel: neither the site nor the channel is switched off.
 */
export function isEnabled(row: TenantRow, channel: string): boolean {
  return row.disabled_at === null && channelsOf(row).some((on) => on === channel)
}

function channelsOf(row: TenantRow): ChannelName[] {
  return storedChannels(row.channels)
}

/**
 * Adds a channel to the tenant, when a messaging app is connected. Locks the tenant's row.
 * Idempotent.
 */
export async function addChannel(
  ctx: Transaction,
  place: { workspaceId: string; tenantId: string },
  channel: ChannelName,
): Promise<void> {
  // The lock serializes concurrent connections: the second one sees the channel of the first.
  const row = await ctx.db
    .updateTable('tenants')
    .set({ updated_at: ctx.now() })
    .where('workspace_id', '=', place.workspaceId)
    .where('id', '=', place.tenantId)
    .returningAll()
    .executeTakeFirst()
  if (!row || channelsOf(row).includes(channel)) return
  await changeTenant(ctx, row, { channels: [...channelsOf(row), channel] })
}

/** Returns the tenant's protection against automated visitors. */
export function abuseOf(row: TenantRow): Abuse {
  return storedAbuse(row.abuse)
}

/** Returns how a model is to write to the tenant's visitors. */
export function assistantOf(row: TenantRow): Assistant {
  return storedAssistant(row.assistant)
}

/** Returns the settings of appointments: disabled without office hours, or when switched off. */
export function appointmentFormOf(row: TenantRow): AppointmentForm & { enabled: boolean } {
  const { appointment } = storedForms(row.forms)
  const { holidays: _, ...days } = storedHours(row.office_hours)
  const isOpen = Object.values(days).some((hours) => hours !== undefined && hours.length > 0)
  return { ...appointment, enabled: isOpen && (appointment?.enabled ?? true) }
}

/** Returns the texts that a visitor sees first, in a locale. */
export function visitorTexts(
  row: TenantRow,
  locale: string,
): { greeting: string; quickReplies: string[] } {
  const greeting = Tenant.shape.greeting.parse(parseStoredText(row.greeting))
  const languages = { locale, own: row.locale }
  return {
    greeting: localizeText(greeting, languages),
    quickReplies: localizeReplies(storedReplies(row.quick_replies), languages),
  }
}

/** Returns the site's own synonyms. */
export function synonymsOf(row: TenantRow): string[][] {
  return storedSynonyms(row.synonyms)
}

function localizeTheme(
  { page, ...theme }: Theme,
  row: TenantRow,
  locale: string,
): WidgetConfig['theme'] {
  if (!page) return theme
  const { invitation, ...rules } = page
  if (!invitation) return { ...theme, page: rules }
  const text = localizeText(invitation.text, { locale, own: row.locale })
  return { ...theme, page: { ...rules, invitation: { ...invitation, text } } }
}

/** Returns the public part of the tenant, its texts in a locale. */
export function serializeWidgetConfig(row: TenantRow, locale: string = row.locale): WidgetConfig {
  const tenant = parseTenant(row)
  const { greeting, quickReplies } = visitorTexts(row, locale)
  const { enabled, services = [] } = appointmentFormOf(row)
  return {
    tenant_id: tenant.tenant_id,
    name: tenant.name,
    locale: tenant.locale,
    theme: localizeTheme(tenant.theme, row, locale),
    greeting,
    quick_replies: quickReplies,
    forms: { lead: leadFormOf(row, locale), appointment: { enabled, services } },
    office_hours: tenant.office_hours,
    time_zone: tenant.time_zone,
    handoff: tenant.handoff,
    privacy: {
      consent_required: tenant.privacy.consent_required ?? false,
      ...(tenant.privacy.policy_url ? { policy_url: tenant.privacy.policy_url } : {}),
    },
    attachments: tenant.attachments,
    active: isEnabled(row, 'widget'),
  }
}
