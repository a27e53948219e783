import { randomInt } from 'node:crypto'
import { proveAddress } from '../chat/visitor/proved-addresses.ts'
import { type MailCause, queueVisitorMail } from '../chat/visitor/visitor-mails.ts'
import type { SessionRow } from '../chat/session/store.ts'
import { chatStrings } from '../chat/session/strings.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'
import type { Transaction } from '../context.ts'
import { type AppError, invalidFields } from '../http/errors.ts'
import { constantTimeEqual } from '../lib/constant-time.ts'
import { oneLine } from '../lib/text/typed-text.ts'
import { removeCode, saveCode, consumeCodeAttempt } from './store.codes.ts'

export const CODE_TTL_SECONDS = 900
const MAX_ATTEMPTS = 5
const CODE_COUNT = 1_000_000
const DIGITS = 6

/** Mails a six-digit code to an unverified address. Throws 429 beyond the limits of mails. */
export async function sendCode(
  tx: Transaction,
  { session, ...cause }: MailCause & { session: SessionRow },
  email: string,
): Promise<void> {
  const code = String(randomInt(CODE_COUNT)).padStart(DIGITS, '0')
  await saveCode(tx.db, {
    session_id: session.id,
    workspace_id: session.workspace_id,
    digest: digestOf(tx.secrets, { session, email, code }),
    tries: MAX_ATTEMPTS,
    expires_at: tx.now() + CODE_TTL_SECONDS * 1_000,
  })
  const { language, leadCode: words } = chatStrings(session.locale)
  const site = oneLine(cause.tenant.name)
  await queueVisitorMail(tx, cause, {
    to: email,
    typed: {},
    build: () => ({ language, subject: words.subject(code), text: words.text({ site, code }) }),
  })
}

/**
 * Returns the refusal of a wrong code; `undefined` for the right one, which is consumed and proves
 * the address. Every attempt counts: the caller commits the transaction on a refusal too.
 */
export async function verifyCode(
  tx: Transaction,
  session: SessionRow,
  { email, code }: { email: string; code: string },
): Promise<AppError | undefined> {
  const place = { workspaceId: session.workspace_id, sessionId: session.id }
  const known = await consumeCodeAttempt(tx.db, place, tx.now())
  const given = digestOf(tx.secrets, { session, email, code })
  if (!known || !constantTimeEqual(given, known)) {
    return invalidFields([
      { path: '/code', message: 'is not the code that was mailed last, or no longer valid' },
    ])
  }
  await removeCode(tx.db, place)
  await proveAddress(tx, session, email)
  return undefined
}

function digestOf(
  secrets: Secrets,
  { session, email, code }: { session: SessionRow; email: string; code: string },
): string {
  return secrets.digest(`lead-code ${session.id} ${email} ${code}`)
}
