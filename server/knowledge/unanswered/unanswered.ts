import { createHash } from 'node:crypto'
import type { Context, Transaction } from '../../context.ts'
import type { EventEnvelope } from '../../events.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { newId } from '../../lib/ids.ts'
import { fold, splitWords } from '../../lib/text/fold.ts'
import { isStopWord } from '../../lib/text/stop-words.ts'
import { addQuestions, deleteOldQuestions } from './store.ts'

const QUESTION_RETENTION_MS = 90 * DAY_MS
const MAX_PER_TENANT = 1_000
/**
 * Turkish puts its endings last, so that the first letters of a word stand for all its forms: five
 * serve search about as well as a dictionary (Can et al., "Information retrieval on Turkish texts",
 * JASIST 2008).
 */
const STEM_LETTERS = 5
/** Turkish question particles (`mı`, `musunuz`, `miydi`), folded. They carry no topic. */
const PARTICLE = /^m[iu](?:s[iu]n(?:[iu]z)?|y[iu][mz]|y?d[iu]r?)?$/
const MAX_STORED_LENGTH = 500
const EMAIL = /[^\s@<>]{1,64}@[^\s@<>]{1,255}\.[^\s@<>]{2,63}/gu
/** Seven digits and more: numbers of phones, identity cards, payment cards and accounts. */
const LONG_NUMBER = /\+?\p{Nd}(?:[\s()./-]{0,5}\p{Nd}){6,}/gu
const REMOVED = '…'

/** Counts unanswered questions, in the transaction of their replies. Locks like `addQuestions`. */
export async function countUnanswered(
  tx: Transaction,
  _event: 'questions.unanswered',
  { workspaceId, data }: EventEnvelope<'questions.unanswered'>,
): Promise<void> {
  const now = tx.now()
  const rows = data.questions.flatMap(({ tenant_id, text, locale }) => {
    const question = redactPii(text)
    const fingerprint = questionFingerprint(question)
    if (fingerprint === undefined) return []
    return {
      id: newId('qst'),
      workspace_id: workspaceId,
      tenant_id,
      fingerprint,
      question,
      locale,
      asked: 1,
      first_asked_at: now,
      last_asked_at: now,
    }
  })
  await addQuestions(tx.db, rows)
}

/** Deletes questions last asked 90 days ago or earlier, and the rarest beyond 1,000 per tenant. */
export async function expireUnanswered(ctx: Context): Promise<void> {
  await deleteOldQuestions(ctx.db, ctx.now() - QUESTION_RETENTION_MS, MAX_PER_TENANT)
}

/** Returns the question with e-mail addresses and long numbers removed, cut to 500 characters. */
export function redactPii(question: string): string {
  const plain = question.replace(EMAIL, REMOVED).replace(LONG_NUMBER, REMOVED)
  return [...plain.replace(/\s+/g, ' ').trim()].slice(0, MAX_STORED_LENGTH).join('')
}

/**
 * Returns a hash that several wordings of a question share: it depends on the first letters of the
 * content words, not on their order or endings. Returns undefined for a question without words.
 */
export function questionFingerprint(question: string): string | undefined {
  const all = splitWords(question).map(fold)
  const content = all
    .filter((word) => !isStopWord(word) && !PARTICLE.test(word))
    .map((word) => word.slice(0, STEM_LETTERS))
  const stems = [...new Set(content.length > 0 ? content : all)].toSorted()
  if (stems.length === 0) return undefined
  return createHash('sha256').update(stems.join(' ')).digest('base64url')
}
