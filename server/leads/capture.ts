import { EMAIL_FAULT, PHONE_FAULT, readEmail, readPhone } from '../chat/contact.ts'
import type { SessionRow } from '../chat/store.ts'
import { type TenantRow, leadFormOf } from '../chat/tenants.ts'
import { type Context, transaction } from '../context.ts'
import { emit } from '../events.ts'
import { type FieldError, invalidFields } from '../http/errors.ts'
import { isoTime } from '../http/pages.ts'
import { newId } from '../lib/ids.ts'
import { type RequestKey, claimRequest, storeAnswer } from '../platform/idempotency.ts'
import type { Lead, SubmitLead } from './schema.ts'
import { type LeadRow, insertLead, updateLead } from './store.ts'

/**
 * Stores what a visitor left, once its phone number and e-mail are found valid, and announces the
 * lead, once per session: who sends the form again corrects what is there. Throws 422.
 */
export async function captureLead(
  ctx: Context,
  place: { tenant: TenantRow; session: SessionRow },
  given: { fields: SubmitLead; key: RequestKey | undefined; source?: 'conversation' },
): Promise<Lead> {
  const { tenant, session } = place
  const { fields, key } = given
  const { phone, email } = await verify(fields, tenant)
  const now = ctx.now()
  const row: LeadRow = {
    id: newId('lead'),
    workspace_id: tenant.workspace_id,
    tenant_id: tenant.id,
    session_id: session.id,
    chatbot_id: tenant.chatbot_id,
    sector: tenant.sector,
    name: fields.name,
    phone,
    email,
    interest: fields.interest ?? '',
    source: given.source ?? (session.channel === 'widget' ? 'widget_form' : session.channel),
    confidence: 1,
    consent_text: fields.consent ? leadFormOf(tenant).consent_text : null,
    consent_at: fields.consent ? now : null,
    captured_at: now,
  }
  return transaction(ctx, async (tx) => {
    if (key) await claimRequest(tx, key)
    const isNew = await insertLead(tx.db, row)
    const kept = isNew
      ? row
      : await updateLead(
          tx.db,
          { workspaceId: row.workspace_id, sessionId: row.session_id },
          {
            name: row.name,
            phone,
            email,
            interest: row.interest,
            ...(fields.consent
              ? { consent_text: row.consent_text, consent_at: row.consent_at }
              : {}),
          },
        )
    const lead = showLead(kept)
    if (isNew) {
      await emit(tx, 'lead.created', {
        workspaceId: tenant.workspace_id,
        tenantId: tenant.id,
        sector: lead.sector,
        source: lead.source,
        data: lead,
      })
    }
    if (key) await storeAnswer(tx, key, JSON.stringify(lead))
    return lead
  })
}

async function verify(
  fields: SubmitLead,
  tenant: TenantRow,
): Promise<{ phone: string; email: string }> {
  const phone = await readPhone(fields.phone, tenant.locale)
  const email = readEmail(fields.email)
  const errors: FieldError[] = []
  if (!phone) errors.push({ path: '/phone', message: PHONE_FAULT })
  if (!email) errors.push({ path: '/email', message: EMAIL_FAULT })
  if (!phone || !email) throw invalidFields(errors)
  return { phone, email }
}

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
