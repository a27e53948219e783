import { serializeConsent } from '../tenants/consent.ts'
import { isoTime } from '../http/pagination.ts'
import type { Lead, ManagedLead } from './schema.ts'
import type { LeadRow, OwnedLeadRow } from './store.ts'

/** Returns the lead as events and visitors see it. */
export function serializeLead(row: LeadRow): Lead {
  return {
    lead_id: row.id,
    chatbot_id: row.chatbot_id,
    session_id: row.session_id,
    sector: row.sector,
    name: row.name,
    phone: row.phone,
    email: row.email,
    interest: row.interest,
    source: row.source,
    captured_at: isoTime(row.captured_at),
    confidence: row.confidence,
  }
}

/** Returns the lead as its workspace sees it: with the site and the consent. */
export function serializeManagedLead(row: OwnedLeadRow): ManagedLead {
  const { owner_id, owner_name } = row
  return {
    ...serializeLead(row),
    tenant_id: row.tenant_id,
    consent: serializeConsent(row),
    complete: isComplete(row),
    status: row.status,
    owner:
      owner_id === null || owner_name === null ? null : { user_id: owner_id, name: owner_name },
    notes: row.notes,
  }
}

/** Whether name, phone number and e-mail address are all there. */
export function isComplete({ name, phone, email }: Pick<LeadRow, 'name' | 'phone' | 'email'>) {
  return name !== '' && phone !== '' && email !== ''
}
