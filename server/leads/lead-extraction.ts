import { listVisitorTexts } from '../chat/session/store.ts'
import { ContactPart, MessagingApp } from '../tenants/schema.ts'
import { leadFormOf, findTenant, privacyOf, type TenantRow } from '../tenants/tenants.ts'
import { type Transaction, allDone, sharedRead } from '../context.ts'
import { type EventEnvelope, type EventPlace, emit } from '../events.ts'
import type { EventName } from '../events/registry.ts'
import { extractContact } from '../chat/visitor/contact-extraction.ts'
import { findInterest } from './interest.ts'
import { emitLead, buildLead } from './new-lead.ts'
import {
  type LeadRow,
  findDraft,
  findSessionLead,
  insertLead,
  removeDraft,
  saveDraft,
  updateLead,
} from './store.ts'

/** Channels that are a lead's source; leads of other channels come from a `conversation`. */
const CHANNELS = new Set<string>([...MessagingApp.options, 'api'])
/** Length bounds of a message that may hold contact details. */
const MAX_TEXT_LENGTH = 600
const MIN_TEXT = 3
/** Messages that are searched for what the visitor asked about. */
const MAX_RECENT_MESSAGES = 10

/**
 * Collects the name, phone number and e-mail address from a visitor's messages, in the transaction
 * of each message. The parts that the site requires make a lead, once per session. A phone number or
 * an address before that is a `contact.given`, once per session.
 */
export async function extractLead(
  tx: Transaction,
  _event: 'message.received',
  { workspaceId, isNewSession, data }: EventEnvelope<'message.received'>,
): Promise<void> {
  const { text, session_id: sessionId, channel } = data
  if (text.length < MIN_TEXT || text.length > MAX_TEXT_LENGTH) return
  const place = { workspaceId, sessionId }
  const tenant = await readTenant(tx, data.tenant_id)
  if (!tenant || !isExtractionAllowed(tenant)) return
  const draft = isNewSession ? undefined : await readDraft(tx, workspaceId, sessionId)
  readDraft.forget(tx, workspaceId, sessionId)
  const { confidence, ...found } = extractContact(text, {
    locale: tenant.locale,
    isAwaited: draft !== undefined && draft.name === null,
  })
  if (Object.keys(found).length === 0) return
  const lead = await findSessionLead(tx.db, place)
  if (lead) return completeLead(tx, lead, found)
  const known = {
    name: found.name ?? draft?.name ?? null,
    phone: found.phone ?? draft?.phone ?? null,
    email: found.email ?? draft?.email ?? null,
    confidence: found.name ? confidence : (draft?.confidence ?? confidence),
  }
  const { required } = leadFormOf(tenant)
  if (required.some((part) => known[part] === null)) {
    await saveDraft(tx.db, {
      session_id: sessionId,
      workspace_id: workspaceId,
      updated_at: tx.now(),
      ...known,
    })
    // The reply promises that somebody calls or writes.
    if (isReachable(known) && !(draft && isReachable(draft))) {
      await emit(tx, 'contact.given', {
        workspaceId,
        tenantId: tenant.id,
        data: { session_id: sessionId },
      })
    }
    return
  }
  const texts = await listVisitorTexts(tx.db, place, MAX_RECENT_MESSAGES)
  const row = buildLead(tenant, {
    sessionId,
    name: known.name ?? '',
    phone: known.phone ?? '',
    email: known.email ?? '',
    interest: findInterest(texts, { name: known.name ?? '', locale: tenant.locale }),
    source: CHANNELS.has(channel) ? channel : 'conversation',
    confidence: known.confidence,
    hasConsented: false,
    locale: tenant.locale,
    now: tx.now(),
  })
  if (await insertLead(tx.db, row)) await emitLead(tx, row, undefined)
  await removeDraft(tx.db, place)
}

function isReachable({ phone, email }: { phone: string | null; email: string | null }): boolean {
  return phone !== null || email !== null
}

const readTenant = sharedRead((tx, tenantId: string) => findTenant(tx.db, tenantId))
const readDraft = sharedRead((tx, workspaceId: string, sessionId: string) =>
  findDraft(tx.db, { workspaceId, sessionId }),
)

extractLead.prefetch = (
  tx: Transaction,
  _event: EventName,
  { workspaceId, tenantId, sessionId }: EventPlace,
): Promise<unknown> =>
  allDone([
    ...(tenantId === undefined ? [] : [readTenant(tx, tenantId)]),
    ...(sessionId === undefined ? [] : [readDraft(tx, workspaceId, sessionId)]),
  ])

/** Adds the parts that a lead lacks; what is there stays. */
async function completeLead(
  tx: Transaction,
  lead: LeadRow,
  found: { name?: string; phone?: string; email?: string },
): Promise<void> {
  const missing = ContactPart.options.filter((part) => lead[part] === '' && found[part])
  if (missing.length === 0) return
  const values = Object.fromEntries(missing.map((part) => [part, found[part]]))
  const place = { workspaceId: lead.workspace_id, sessionId: lead.session_id }
  const completed = await updateLead(tx.db, place, values)
  if (completed) await emitLead(tx, completed, lead)
}

/** False for a site without a form, with required consent, or with verified addresses. */
function isExtractionAllowed(tenant: TenantRow): boolean {
  const { enabled, verify_email } = leadFormOf(tenant)
  return enabled && !verify_email && !privacyOf(tenant).consent_required
}
