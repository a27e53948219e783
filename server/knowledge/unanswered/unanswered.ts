import type { Context, Transaction } from '../../context.ts'
import type { EventEnvelope } from '../../events.ts'
import { newId } from '../../lib/ids.ts'
import { questionFingerprint, redactPii } from './redact.ts'
import { countQuestion, deleteOldQuestions } from './store.ts'

const DAY = 86_400_000
const QUESTION_RETENTION_MS = 90 * DAY
const MAX_PER_TENANT = 1_000

/** Counts a question that the bot had no answer to, in the commit of its reply. */
export async function countUnanswered(
  tx: Transaction,
  _event: 'question.unanswered',
  { workspaceId, data }: EventEnvelope<'question.unanswered'>,
): Promise<void> {
  const question = redactPii(data.text)
  const fingerprint = questionFingerprint(question)
  if (fingerprint === undefined) return
  const now = tx.now()
  await countQuestion(tx.db, {
    id: newId('qst'),
    workspace_id: workspaceId,
    tenant_id: data.tenant_id,
    fingerprint,
    question,
    locale: data.locale,
    asked: 1,
    first_asked_at: now,
    last_asked_at: now,
  })
}

/** Forgets questions that nobody has asked for 90 days, and the rarest where there are too many. */
export async function expireUnanswered(ctx: Context): Promise<void> {
  await deleteOldQuestions(ctx.db, ctx.now() - QUESTION_RETENTION_MS, MAX_PER_TENANT)
}
