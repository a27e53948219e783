import { type SessionRow, findSession } from '../chat/session/store.ts'
import { chatStrings } from '../chat/session/strings.ts'
import { tryQueueVisitorMail } from '../chat/visitor/visitor-mails.ts'
import { resumeLink } from '../chat/visitor/resume-links.ts'
import { findIdentity } from '../chat/visitor/store.identities.ts'
import { type Context, type Transaction, transaction } from '../context.ts'
import type { EventEnvelope } from '../events.ts'
import { findContact } from '../leads/store.ts'
import { MINUTE_MS } from '../lib/durations.ts'
import { oneLine } from '../lib/text/typed-text.ts'
import { findTenant } from '../tenants/tenants.ts'
import {
  type PendingReplyRow,
  addPendingReply,
  listAbandoned,
  listUnreadReplies,
  takePendingReply,
} from './store.replies.ts'

/** A visitor who was not seen for this long has left. */
const GONE_AFTER_MS = 5 * MINUTE_MS
const MAX_PER_RUN = 100
/** Messaging apps deliver an answer themselves. */
const CHANNELS = new Set(['widget', 'api'])

/** Notes an operator's message, so that it reaches a visitor who has left. */
export async function noteReply(
  tx: Transaction,
  _event: 'message.sent',
  { workspaceId, data }: EventEnvelope<'message.sent'>,
): Promise<void> {
  if (data.role !== 'operator' || !CHANNELS.has(data.channel)) return
  await addPendingReply(tx.db, {
    session_id: data.session_id,
    workspace_id: workspaceId,
    since: tx.now(),
  })
}

/**
 * Mails operators' unread messages to visitors who have left and gave an address, with a signed link
 * back to the conversation. Idempotent, and safe in several processes at once.
 */
export async function mailReplies(ctx: Context): Promise<void> {
  const before = ctx.now() - GONE_AFTER_MS
  const rows = await listAbandoned(ctx.db, { before, limit: MAX_PER_RUN })
  for (const row of rows) await transaction(ctx, (tx) => mailReply(tx, row))
}

async function mailReply(tx: Transaction, row: PendingReplyRow): Promise<void> {
  if (!(await takePendingReply(tx.db, row))) return
  const session = await findSession(tx.db, row.session_id)
  const tenant = session && (await findTenant(tx.db, session.tenant_id))
  if (!session || !tenant) return
  const replies = await listUnreadReplies(tx.db, session, row.since)
  const to = await findAddress(tx, session)
  if (replies.length === 0 || to === undefined) return
  const { language, team, reply: words } = chatStrings(session.locale)
  const site = oneLine(tenant.name)
  const said = replies
    .map(({ author_name, content }) => `${oneLine(author_name || team(site))}:\n${content}`)
    .join('\n\n')
  const build = () => ({
    language,
    subject: words.subject(site),
    text: words.text({ site, said, link: resumeLink(tx, session) }),
  })
  // The limits of persons hold, because the address may be mistyped.
  await tryQueueVisitorMail(tx, { tenant, client: undefined }, { to, typed: {}, build })
}

/** Returns the visitor's address: of a signed identity, or of the contact details. */
async function findAddress(tx: Transaction, session: SessionRow): Promise<string | undefined> {
  const { workspace_id: workspaceId, visitor_id: visitorId, id: sessionId } = session
  const identity =
    visitorId === null ? undefined : await findIdentity(tx.db, workspaceId, visitorId)
  if (identity?.email && identity.verified_at !== null) return identity.email
  const contact = await findContact(tx.db, { workspaceId, sessionId })
  return contact?.email || undefined
}
