import { type Context, type Transaction, transaction } from '../context.ts'
import { PollLoop } from '../jobs/poll-loop.ts'
import type { RunningWorker } from '../jobs/queue-worker.ts'
import { HOUR_MS, SECOND_MS } from '../lib/durations.ts'
import { countMail } from '../mail/limits.ts'
import { queueMail } from '../mail/mail.ts'
import { buildDigest, buildEmail } from './emails.ts'
import { type MemberNotice, readNotice } from './notices.ts'
import {
  type NotificationRow,
  claimNotifications,
  deleteNotifications,
  findDueNotification,
  findRecipient,
  moveToDigest,
  nextDigest,
  postponeNotifications,
  tryCountMail,
} from './store.ts'

/** A message on this topic says that notifications may be due. */
export const NOTIFICATIONS_TOPIC = 'notifications'
/** Postponed notifications and digests come due without a message. */
const POLL_INTERVAL_MS = 5 * SECOND_MS
const MAX_PER_POLL = 500
/** Mails about conversations to a member in an hour: visitors can open conversations without end. */
const MAX_PER_HOUR = 30
/** Entries that a digest has in full. */
const MAX_IN_DIGEST = 100

/** Starts to turn notifications into queued mails. */
export function startNotifier(ctx: Context): RunningWorker {
  const loop = new PollLoop({
    clock: ctx.clock,
    pubsub: ctx.pubsub,
    topic: NOTIFICATIONS_TOPIC,
    pollMs: POLL_INTERVAL_MS,
    poll: () => sendNotifications(ctx),
    onFailure: (error) =>
      ctx.log.error(
        { event: 'notifications.poll_failed', err: error },
        'notifications could not be sent',
      ),
  })
  loop.start()
  loop.notify()
  return loop
}

/** Queues the mails of all notifications that are due. Idempotent, and safe in several processes. */
export async function sendNotifications(ctx: Context): Promise<void> {
  for (let sent = 0; sent < MAX_PER_POLL; sent += 1) {
    const first = await findDueNotification(ctx.db, ctx.now())
    if (!first) return
    await transaction(ctx, (tx) => sendTogether(tx, first))
  }
}

/** Sends what goes into one mail with a notification, or postpones it after a recent mail. */
async function sendTogether(tx: Transaction, first: NotificationRow): Promise<void> {
  const now = tx.now()
  const rows = await claimNotifications(tx.db, first, now)
  const notices = await readNotices(tx, rows.slice(0, MAX_IN_DIGEST))
  const [head, ...others] = notices.toSorted((one, other) => rank(one) - rank(other))
  if (head) {
    const isLimited = first.session_id !== null && first.is_digest === 0
    if (isLimited && !(await tryCountMail(tx.db, first, now))) {
      await postponeNotifications(tx.db, rows)
      return
    }
    const hourly = { of: `notices ${first.user_id}`, max: MAX_PER_HOUR, ms: HOUR_MS }
    if (isLimited && (await countMail(tx, [hourly])) > 0) {
      await moveToDigest(tx.db, rows, nextDigest(now))
      return
    }
    const recipient = await findRecipient(tx.db, first.workspace_id, first.user_id)
    if (recipient) {
      const { name, locale, time_zone: timeZone } = recipient
      const reader = { name, locale, timeZone }
      const mail = first.is_digest
        ? buildDigest(tx, reader, { notices, others: Math.max(0, rows.length - MAX_IN_DIGEST) })
        : buildEmail(tx, reader, [head, ...others])
      await queueMail(tx, {
        workspaceId: first.workspace_id,
        to: recipient.email_address,
        ...mail,
      })
    }
  }
  await deleteNotifications(tx.db, rows)
}

/** A contact is the subject before a wait, and a wait before the request. */
function rank({ kind }: MemberNotice): number {
  return ['lead', 'waiting', 'handoff'].indexOf(kind)
}

async function readNotices(
  tx: Transaction,
  rows: readonly NotificationRow[],
): Promise<MemberNotice[]> {
  const notices: MemberNotice[] = []
  for (const row of rows) {
    const notice = await readNotice(tx, row)
    if (notice) notices.push(notice)
  }
  return notices
}
