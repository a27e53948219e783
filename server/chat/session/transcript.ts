import { type Context, transaction } from '../../context.ts'
import { AppError } from '../../http/errors.ts'
import { constantTimeEqual } from '../../lib/constant-time.ts'
import { DAY_MS } from '../../lib/durations.ts'
import type { ChatStrings } from '../../locales/chat.en.ts'
import { textOfMessage } from '../../lib/text/markdown-text.ts'
import { oneLine } from '../../lib/text/typed-text.ts'
import { isProvedAddress } from '../visitor/proved-addresses.ts'
import { type MailCause, queueVisitorMail } from '../visitor/visitor-mails.ts'
import { parseCitations } from './stored-citations.ts'
import { type MessageRow, type SessionRow, findSession, listMessages } from './store.ts'
import type { TenantRow } from '../../tenants/tenants.ts'
import { chatStrings } from './strings.ts'

/** Messages of a transcript, in a mail and on the page of a link. */
const MAX_MESSAGES = 1_000
const LINK_TTL_DAYS = 7

/**
 * Queues a mail with the conversation. An address that is not proved to be the visitor's gets a link
 * instead of the text: it may be somebody else's address. Throws 409 before the site
 * has answered, and 429 beyond the limits of mails.
 */
export async function sendTranscript(
  ctx: Context,
  { session, ...cause }: MailCause & { session: SessionRow },
  email: string,
): Promise<void> {
  const { language, transcript: words } = chatStrings(session.locale)
  const site = oneLine(cause.tenant.name)
  await transaction(ctx, async (tx) => {
    const messages = await listTranscript(tx, session)
    if (messages.every(({ role }) => role === 'visitor')) {
      throw new AppError('conflict', 'This conversation has no answer to mail yet.')
    }
    const text = (await isProvedAddress(tx, session, email))
      ? buildTranscript(messages, { tenant: cause.tenant, session, words, site })
      : words.link({ site, link: transcriptLink(tx, session), days: LINK_TTL_DAYS })
    const build = () => ({ language, subject: words.subject(site), text })
    await queueVisitorMail(tx, cause, { to: email, typed: {}, build })
  })
}

/** Returns the messages of a transcript, oldest first. */
export async function listTranscript(
  ctx: Pick<Context, 'db'>,
  { workspace_id: workspaceId, id: sessionId }: SessionRow,
): Promise<MessageRow[]> {
  const page = { limit: MAX_MESSAGES, after: 0 }
  return (await listMessages(ctx.db, { workspaceId, sessionId }, page)).slice(0, MAX_MESSAGES)
}

function transcriptLink(ctx: Pick<Context, 'config' | 'secrets' | 'now'>, { id }: SessionRow) {
  const expiresAt = ctx.now() + LINK_TTL_DAYS * DAY_MS
  const signature = ctx.secrets.digest(signedText(id, expiresAt))
  return `${ctx.config.publicUrl ?? ''}/transcripts/${id}/${expiresAt}/${signature}`
}

/** Returns the session of a signed link; `undefined` for a wrong or expired one. */
export async function verifyTranscriptLink(
  ctx: Context,
  { id, expiresAt, signature }: { id: string; expiresAt: number; signature: string },
): Promise<SessionRow | undefined> {
  if (expiresAt <= ctx.now()) return undefined
  const isSigned = ctx.secrets
    .digests(signedText(id, expiresAt))
    .some((digest) => constantTimeEqual(signature, digest))
  return isSigned ? findSession(ctx.db, id) : undefined
}

function signedText(sessionId: string, expiresAt: number): string {
  return `transcript:${sessionId}:${expiresAt}`
}

function buildTranscript(
  messages: readonly MessageRow[],
  {
    tenant,
    session,
    words,
    site,
  }: {
    tenant: TenantRow
    session: SessionRow
    words: ChatStrings['transcript']
    site: string
  },
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
    const speaker = `[${clock.format(message.created_at)}] ${words[message.role]}:`
    const lines = [speaker, textOfMessage(message)]
    return [...lines, ...(sources.length > 0 ? [`${words.sources}:`, ...sources] : [])].join('\n')
  })
  return [words.intro(site), ...entries].join('\n\n')
}
