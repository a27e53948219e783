import { type Context, type Transaction, transaction } from '../context.ts'
import { addMessage, receiveMessage } from '../chat/session/messages.ts'
import { lockSession } from '../chat/session/store.feedback.ts'
import type { MessageRow, SessionRow } from '../chat/session/store.ts'
import { chatStrings } from '../chat/session/strings.ts'
import { claimInTx, toPerson } from '../chat/session/transitions.ts'
import { AppError } from '../http/errors.ts'
import type { Upload } from '../http/requests/uploads.ts'
import { HOUR_MS } from '../lib/durations.ts'
import { newId } from '../lib/ids.ts'
import type { UserCaller } from '../platform/auth/authenticator.ts'
import { type TenantRow, findTenant } from '../tenants/tenants.ts'
import { detectFileType } from './file-types.ts'
import { findExceededQuota, reserveQuota } from '../quotas/quotas.ts'
import { insertAttachment, listSentSince } from './store.ts'

export const MAX_ATTACHMENT_BYTES = 5_000_000
/** Files of one side of a conversation in an hour. */
const MAX_PER_HOUR = 5

/** Visitors' files fill the plan to this part; the rest stays free for the workspace's own. */
const VISITORS_SHARE = 0.8

/** Files reach visitors of these channels; messaging apps carry text. */
const CHANNELS = new Set(['widget', 'api'])

/**
 * Stores a visitor's file as a message. While the bot answers, it says that the team has the file.
 * Throws 403 where the site takes no files, 415 for other types, 429 beyond the limit of an hour.
 */
export function receiveAttachment(
  ctx: Context,
  { tenant, session }: { tenant: TenantRow; session: SessionRow },
  upload: Upload,
): Promise<MessageRow> {
  return transaction(ctx, async (tx) => {
    const stored = await storeFile(tx, { tenant, session, role: 'visitor' }, upload)
    const { message, session: current } = await receiveMessage(tx, tenant, session, stored.name, [
      stored,
    ])
    if (current.state === 'bot') {
      const content = chatStrings(session.locale).fileReceived
      await addMessage(tx, current, { role: 'assistant', content })
    }
    return message
  })
}

/** Sends an operator's file to the visitor, and assigns an unassigned session to the operator. */
export function sendAttachment(
  ctx: Context,
  caller: UserCaller,
  { session, upload }: { session: SessionRow; upload: Upload },
): Promise<MessageRow & { author_name: string }> {
  return transaction(ctx, async (tx) => {
    const tenant = await findTenant(tx.db, session.tenant_id)
    if (!tenant) throw new AppError('not_found', 'This tenant does not exist.')
    if (!CHANNELS.has(session.channel)) {
      throw new AppError('conflict', 'This conversation is in a messaging app. Send text.')
    }
    const claimed = await claimInTx(tx, caller, session)
    const author = await toPerson(tx, caller, claimed)
    const stored = await storeFile(tx, { tenant, session: claimed, role: 'operator' }, upload)
    const { message } = await addMessage(tx, claimed, {
      role: 'operator',
      content: stored.name,
      author,
      attachments: [stored],
    })
    return { ...message, author_name: author.name }
  })
}

/** Throws 402 when the plan of the workspace has no room; visitors do not read its figures. */
async function reserveBytes(
  tx: Transaction,
  { workspaceId, role }: { workspaceId: string; role: 'visitor' | 'operator' },
  bytes: number,
): Promise<void> {
  const increase = { stored_bytes: bytes }
  if (role === 'operator') return reserveQuota(tx, workspaceId, increase)
  if ((await findExceededQuota(tx, workspaceId, increase, VISITORS_SHARE)) === undefined) return
  throw new AppError('quota_exceeded', 'This site does not accept files at the moment.')
}

/** Checks and stores the bytes; returns what the message shows of them. Locks the session's row. */
async function storeFile(
  tx: Transaction,
  place: { tenant: TenantRow; session: SessionRow; role: 'visitor' | 'operator' },
  { bytes, fileName }: Upload,
): Promise<{ id: string; name: string; media_type: string; bytes: number }> {
  const { tenant, session, role } = place
  const of = { workspaceId: session.workspace_id, sessionId: session.id, role }
  if (tenant.attachments === 0) throw new AppError('forbidden', 'This site does not accept files.')
  if (session.state === 'closed') throw new AppError('conflict', 'This conversation is closed.')
  const mediaType = detectFileType(bytes)
  if (mediaType === undefined) {
    throw new AppError('unsupported_media_type', 'Send a PNG, JPEG, WebP, GIF or PDF file.')
  }
  await reserveBytes(tx, of, bytes.length)
  await lockSession(tx.db, of)
  const now = tx.now()
  const sent = await listSentSince(tx.db, of, now - HOUR_MS)
  if (sent.length >= MAX_PER_HOUR) {
    const waitMs = (sent[0] ?? now) + HOUR_MS - now
    throw new AppError(
      'rate_limited',
      `At most ${MAX_PER_HOUR} files an hour are accepted. Try again later.`,
      {
        headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) },
      },
    )
  }
  const id = newId('att')
  const name = fileName || mediaType.replace(/^.*\//, 'file.')
  await insertAttachment(tx.db, {
    id,
    workspace_id: of.workspaceId,
    session_id: of.sessionId,
    role,
    name,
    media_type: mediaType,
    bytes: bytes.length,
    content: bytes,
    created_at: now,
  })
  return { id, name, media_type: mediaType, bytes: bytes.length }
}
