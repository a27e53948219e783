import { createHash } from 'node:crypto'
import { isoTime } from '../http/pages.ts'
import type { Lead, ManagedLead } from './schema.ts'
import type { LeadRow } from './store.ts'

/** The lead as it travels. */
export function showLead(row: LeadRow): Lead {
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

/** The lead as its workspace sees it: with the site, and what was agreed to. */
export function showManagedLead(row: LeadRow): ManagedLead {
  const { consent_text: text, consent_at: at } = row
  return {
    ...showLead(row),
    tenant_id: row.tenant_id,
    consent:
      text === null || at === null
        ? null
        : { text, version: consentVersion(text), given_at: isoTime(at) },
  }
}

/** Names the words of a consent: the same words, the same version. */
function consentVersion(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
