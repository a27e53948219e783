import { toStoredConsent } from '../tenants/consent.ts'
import type { TenantRow } from '../tenants/tenants.ts'
import type { Transaction } from '../context.ts'
import { emit } from '../events.ts'
import { newId } from '../lib/ids.ts'
import { isComplete, serializeLead } from './serialize.ts'
import type { LeadRow } from './store.ts'

/** Returns the row of a new lead. */
export function buildLead(
  tenant: TenantRow,
  given: {
    sessionId: string
    name: string
    phone: string
    email: string
    interest: string
    source: string
    confidence: number
    hasConsented: boolean
    /** Of the conversation: the consent text was shown in it. */
    locale: string
    now: number
  },
): LeadRow {
  return {
    id: newId('lead'),
    workspace_id: tenant.workspace_id,
    tenant_id: tenant.id,
    session_id: given.sessionId,
    chatbot_id: tenant.chatbot_id,
    sector: tenant.sector,
    name: given.name,
    phone: given.phone,
    email: given.email,
    interest: given.interest,
    source: given.source,
    confidence: given.confidence,
    ...toStoredConsent(tenant, given.hasConsented, given),
    captured_at: given.now,
    status: 'new',
    owner_id: null,
    notes: '',
  }
}

/** Emits `lead.kept` for a new lead, and `lead.created` once it is complete. */
export async function emitLead(
  tx: Transaction,
  row: LeadRow,
  before: LeadRow | undefined,
): Promise<void> {
  const data = serializeLead(row)
  const { workspace_id: workspaceId, tenant_id: tenantId, sector, source } = row
  const envelope = { workspaceId, tenantId, sector, source, data }
  if (!before) await emit(tx, 'lead.kept', envelope)
  if (isComplete(row) && !(before && isComplete(before))) await emit(tx, 'lead.created', envelope)
}
