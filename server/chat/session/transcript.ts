import { type Context, type Transaction, transaction } from '../../context.ts'
import { AppError } from '../../http/errors.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { newId } from '../../lib/ids.ts'
import type { ChatStrings } from '../../locales/chat.en.ts'
import { queueMail } from '../../mail/mail.ts'
import { parseCitations } from './stored-citations.ts'
import { tryConsumeMailQuota } from '../visitor/mail-limits.ts'
import { countTranscripts, insertTranscript, lockSession } from './store.feedback.ts'
import { type MessageRow, type SessionRow, listMessages } from './store.ts'
import type { TenantRow } from '../../tenants/tenants.ts'
import { chatStrings } from './strings.ts'

const MAX_PER_SESSION = 3
const MAX_PER_ADDRESS = 5
const MAX_MESSAGES = 1_000

/** Queues a mail with the transcript. Throws 429 beyond the mail quota. */
export async function sendTranscript(
  ctx: Context,
  { tenant, session }: { tenant: TenantRow; session: SessionRow },
  email: string,
): Promise<void> {
  const words = chatStrings(session.locale).transcript
  await transaction(ctx, async (tx) => {
    await assertMailQuota(tx, session, email)
    const place = { workspaceId: session.workspace_id, sessionId: session.id }
    const messages = await listMessages(tx.db, place, { limit: MAX_MESSAGES, after: 0 })
    await queueMail(tx, {
      workspaceId: session.workspace_id,
      to: email,
      subject: words.subject(tenant.name),
      text: buildTranscript(messages, { tenant, session, words }),
    })
  })
}

/**
 * Counts a mail to an address that a visitor named: three per session and five per address in a
 * day, so that an address cannot be flooded. Locks the session's row. Throws 429 beyond that.
 */
export async function assertMailQuota(
  tx: Transaction,
  session: SessionRow,
  email: string,
): Promise<void> {
  const now = tx.now()
  await lockSession(tx.db, { workspaceId: session.workspace_id, sessionId: session.id })
  const sent = await countTranscripts(tx.db, session, now - DAY_MS)
  const address = { email, purpose: 'visitor', max: MAX_PER_ADDRESS } as const
  if (sent >= MAX_PER_SESSION || !(await tryConsumeMailQuota(tx, address))) {
    throw new AppError(
      'rate_limited',
      'The limit of mails for today is reached. Try again tomorrow.',
      {
        headers: { 'retry-after': String(DAY_MS / 1_000) },
      },
    )
  }
  await insertTranscript(tx.db, {
    id: newId('req'),
    workspace_id: session.workspace_id,
    session_id: session.id,
    recipient: '',
    created_at: now,
  })
}

function buildTranscript(
  messages: readonly MessageRow[],
  {
    tenant,
    session,
    words,
  }: { tenant: TenantRow; session: SessionRow; words: ChatStrings['transcript'] },
): string {
  const clock = new Intl.DateTimeFormat(session.locale, {
    timeZone: tenant.time_zone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  const entries = messages.map((message) => {
    const sources = parseCitations(message.citations).flatMap(({ title, url }) =>
      url ? [`  ${title}: ${url}`] : [],
    )
    const lines = [`[${clock.format(message.created_at)}] ${words[message.role]}:`, message.content]
    return [...lines, ...(sources.length > 0 ? [`${words.sources}:`, ...sources] : [])].join('\n')
  })
  return [words.intro(tenant.name), ...entries].join('\n\n')
}

/** Deletes the transcripts that no longer count against the quota. Idempotent. */
export async function expireTranscripts(ctx: Context): Promise<void> {
  await ctx.db
    .deleteFrom('transcripts')
    .where('created_at', '<=', ctx.now() - DAY_MS)
    .execute()
}
