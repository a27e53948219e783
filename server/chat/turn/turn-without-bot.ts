import type { Transaction } from '../../context.ts'
import { requestHandoffInTx } from '../handoff/handoff.ts'
import type { Turn } from '../schema.ts'
import type { MessageRow, SessionRow } from '../session/store.ts'
import { type TenantRow, leadFormOf } from '../../tenants/tenants.ts'

/**
 * Returns the turn of a silent bot, when an operator has the session or the visitor has just asked
 * for a person; `undefined` when the bot answers.
 */
export async function turnWithoutBot(
  tx: Transaction,
  tenant: TenantRow,
  {
    session,
    message,
    wantsHuman,
  }: { session: SessionRow; message: MessageRow; wantsHuman: boolean },
): Promise<Turn | undefined> {
  const place = { session_id: session.id, message_id: message.id }
  const noReply = { reply: null, credits_used: 0 }
  if (session.state !== 'bot') return { ...place, ...noReply, state: session.state }
  if (tenant.handoff === 'off' || !wantsHuman) return undefined
  const { session: asked, notice } = await requestHandoffInTx(tx, tenant, session, 'visitor')
  const reply = notice && {
    message_id: notice.id,
    role: 'assistant' as const,
    content: notice.content,
    citations: [],
    quick_replies: [],
    confidence: 1,
    form: leadFormOf(tenant).enabled ? ('lead' as const) : null,
  }
  return { ...place, ...noReply, ...(reply ? { reply } : {}), state: asked.state }
}
