import { requireConsent } from '../tenants/consent.ts'
import { EMAIL_FAULT, PHONE_FAULT, parseEmail, parsePhone } from '../chat/visitor/contact.ts'
import type { SessionRow } from '../chat/session/store.ts'
import type { MailCause } from '../chat/visitor/visitor-mails.ts'
import type { ContactPart } from '../tenants/schema.ts'
import { type TenantRow, leadFormOf } from '../tenants/tenants.ts'
import { type Context, type Transaction, transaction } from '../context.ts'
import { AppError, type FieldError, invalidFields } from '../http/errors.ts'
import { type RequestKey, claimRequest, storeResponse } from '../platform/idempotency.ts'
import { CODE_TTL_SECONDS, sendCode, verifyCode } from './codes.ts'
import { emitLead, buildLead } from './new-lead.ts'
import type { Lead, LeadPatch, SubmitLead } from './schema.ts'
import { serializeLead } from './serialize.ts'
import {
  type LeadRow,
  deleteLead,
  findSessionLead,
  insertLead,
  removeDraft,
  updateLead,
} from './store.ts'

interface SessionRef {
  tenant: TenantRow
  session: SessionRow
}
interface LeadInput {
  fields: SubmitLead
  key: RequestKey | undefined
  source?: 'conversation'
}

/**
 * Stores a lead with the parts that the site requires, each valid, and emits `lead.kept` once per
 * session, and `lead.created` once it is complete: a repeated form corrects the lead. Throws 422.
 */
export async function captureLead(
  ctx: Context,
  place: SessionRef,
  given: LeadInput,
): Promise<Lead> {
  const contact = verify(given.fields, place.tenant, leadFormOf(place.tenant).required)
  return transaction(ctx, (tx) => saveLead(tx, place, { ...given, contact }))
}

/**
 * Like `captureLead`, for a form that may require a verified address: without a code, mails one and
 * returns its lifetime in seconds. Throws 422 for a wrong code, 429 beyond the limits of mails.
 */
export async function submitLead(
  ctx: Context,
  place: SessionRef & MailCause,
  given: LeadInput,
): Promise<{ lead: Lead } | { expiresIn: number }> {
  const { tenant, session } = place
  const { fields } = given
  const { verify_email: isVerified, required } = leadFormOf(tenant)
  const contact = verify(fields, tenant, required)
  requireConsent(tenant, fields.consent)
  if (!isVerified || contact.email === '') {
    return { lead: await transaction(ctx, (tx) => saveLead(tx, place, { ...given, contact })) }
  }
  const { code } = fields
  const { email } = contact
  if (code === undefined) {
    await transaction(ctx, (tx) => sendCode(tx, place, email))
    return { expiresIn: CODE_TTL_SECONDS }
  }
  const lead = await transaction(
    ctx,
    async (tx) =>
      (await verifyCode(tx, session, { email, code })) ??
      saveLead(tx, place, { ...given, contact }),
  )
  if (lead instanceof AppError) throw lead
  return { lead }
}

async function saveLead(
  tx: Transaction,
  { tenant, session }: SessionRef,
  { fields, contact, key, source }: LeadInput & { contact: Contact },
): Promise<Lead> {
  const row = buildLead(tenant, {
    sessionId: session.id,
    ...contact,
    interest: fields.interest ?? '',
    source: source ?? (session.channel === 'widget' ? 'widget_form' : session.channel),
    confidence: 1,
    hasConsented: fields.consent === true,
    locale: session.locale,
    now: tx.now(),
  })
  if (key) await claimRequest(tx, key)
  const place = { workspaceId: row.workspace_id, sessionId: row.session_id }
  const isNew = await insertLead(tx.db, row)
  const before = isNew ? undefined : await findSessionLead(tx.db, place)
  const saved = isNew ? row : await updateLead(tx.db, place, correctionBy(row))
  if (!saved) throw sessionGoneError()
  await emitLead(tx, saved, before)
  if (isNew) await removeDraft(tx.db, place)
  const lead = serializeLead(saved)
  if (key) await storeResponse(tx, key, JSON.stringify(lead))
  return lead
}

/** Returns the columns that a repeated form replaces: an earlier part or consent stays. */
function correctionBy(row: LeadRow): Partial<LeadRow> {
  const { name, phone, email, interest, consent_text, consent_at } = row
  const consent = consent_at === null ? {} : { consent_text, consent_at }
  const given = Object.entries({ name, phone, email }).filter(([, value]) => value !== '')
  return { ...Object.fromEntries(given), interest, ...consent }
}

/**
 * Changes a lead for an operator. Throws 422 for an invalid phone number or e-mail address; the
 * caller has checked the owner.
 */
export async function correctLead(
  tx: Transaction,
  row: LeadRow,
  { tenant, change }: { tenant: TenantRow; change: LeadPatch },
): Promise<LeadRow> {
  const { name = row.name, interest = row.interest } = change
  const { phone = row.phone, email = row.email } = change
  const { status = row.status, owner_id = row.owner_id, notes = row.notes } = change
  const contact = verify({ name, phone, email }, tenant, [])
  const place = { workspaceId: row.workspace_id, sessionId: row.session_id }
  const values = { interest, ...contact, status, owner_id, notes }
  const corrected = await updateLead(tx.db, place, values)
  if (!corrected) throw sessionGoneError()
  await emitLead(tx, corrected, row)
  return corrected
}

/**
 * Merges a lead into another one of the same site, and removes it: empty fields are filled, notes
 * joined, and the earlier capture and consent stay. Throws 409 for leads of two sites.
 */
export async function mergeLeads(tx: Transaction, into: LeadRow, other: LeadRow): Promise<void> {
  if (into.id === other.id) {
    throw invalidFields([{ path: '/lead_id', message: 'is the same lead' }])
  }
  if (into.tenant_id !== other.tenant_id) {
    throw new AppError('conflict', 'These leads belong to two sites, each with its own consent.')
  }
  const consent = into.consent_at === null ? other : into
  const place = { workspaceId: into.workspace_id, sessionId: into.session_id }
  const merged = await updateLead(tx.db, place, {
    name: into.name || other.name,
    phone: into.phone || other.phone,
    email: into.email || other.email,
    interest: into.interest || other.interest,
    notes: [into.notes, other.notes].filter((notes) => notes !== '').join('\n\n'),
    owner_id: into.owner_id ?? other.owner_id,
    status: into.status === 'new' ? other.status : into.status,
    consent_text: consent.consent_text,
    consent_at: consent.consent_at,
    captured_at: Math.min(into.captured_at, other.captured_at),
  })
  if (!merged) throw sessionGoneError()
  await deleteLead(tx.db, other)
}

/** The session was erased concurrently. */
function sessionGoneError(): AppError {
  return new AppError('not_found', 'This lead no longer exists.')
}

interface Contact {
  name: string
  phone: string
  email: string
}

/** Returns the parts of a contact, empty where they are missing. Throws 422. */
function verify(
  { name = '', phone = '', email = '' }: Pick<SubmitLead, ContactPart>,
  tenant: TenantRow,
  required: readonly ContactPart[],
): Contact {
  const given = { name, phone, email }
  const parsed = {
    name,
    phone: phone === '' ? '' : parsePhone(phone, tenant.locale),
    email: email === '' ? '' : parseEmail(email),
  }
  const errors: FieldError[] = required
    .filter((part) => given[part] === '')
    .map((part) => ({ path: `/${part}`, message: 'is required' }))
  if (parsed.phone === undefined) errors.push({ path: '/phone', message: PHONE_FAULT })
  if (parsed.email === undefined) errors.push({ path: '/email', message: EMAIL_FAULT })
  if (errors.length > 0 || parsed.phone === undefined || parsed.email === undefined) {
    throw invalidFields(errors)
  }
  return { name, phone: parsed.phone, email: parsed.email }
}
