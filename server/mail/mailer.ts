import type { Context } from '../context.ts'
import { type JobFailure, type RunningWorker, startQueueWorker } from '../jobs/queue-worker.ts'
import { MINUTE_MS, SECOND_MS } from '../lib/durations.ts'
import { MAIL_MAX_AGE_MS, decryptMailContent, mailSender } from './mail.ts'
import { type MailRow, outgoingMails } from './store.ts'

/** The delay before each further attempt; the last one repeats. */
const RETRY_SCHEDULE_MS = [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS]
/** The poll finds mails whose notification was lost. */
const POLL_INTERVAL_MS = 5 * SECOND_MS
/** For one mail, from the connection to the server's last reply. */
const SEND_TIMEOUT_MS = 45 * SECOND_MS
const LEASE_TTL_MS = 2 * MINUTE_MS
/** A stop aborts mails in flight after this time. */
const STOP_TIMEOUT_MS = 5 * SECOND_MS
const MAX_CONCURRENCY = 5
const MAX_ERROR_LENGTH = 300

/** Starts to send queued mails through the server at `SMTP_URL`; without a server mails wait. */
export function startMailer(ctx: Context): RunningWorker {
  const { smtpUrl } = ctx.config
  if (!smtpUrl) return { stop: async () => undefined }
  return startQueueWorker(
    ctx,
    {
      queue: outgoingMails,
      concurrency: MAX_CONCURRENCY,
      leaseMs: LEASE_TTL_MS,
      pollMs: POLL_INTERVAL_MS,
      async run(mail, signal) {
        await sendSmtp(ctx, smtpUrl, mail, signal)
        await outgoingMails.complete(ctx.db, mail, ctx.now(), { content: null })
      },
      classify,
      retryDelayMs({ attempts, created_at }) {
        const delay = RETRY_SCHEDULE_MS[Math.min(attempts, RETRY_SCHEDULE_MS.length) - 1] ?? 0
        return ctx.now() + delay >= created_at + MAIL_MAX_AGE_MS ? undefined : delay
      },
      async onDead(mail, reason = '') {
        await outgoingMails.kill(ctx.db, mail, {
          error: reason,
          now: ctx.now(),
          set: { content: null },
        })
      },
      onStop: 'finish',
      stopTimeoutMs: STOP_TIMEOUT_MS,
    },
    // The SMTP server may have accepted the mail of a crashed process: the lease lapses before a retry.
    { isSingleProcess: false },
  )
}

async function sendSmtp(
  ctx: Context,
  smtpUrl: string,
  mail: MailRow,
  signal: AbortSignal,
): Promise<void> {
  const { language, subject, text, attachments, calendar } = decryptMailContent(ctx.secrets, mail)
  const { createTransport } = await import('nodemailer')
  const { hostname } = new URL(ctx.config.publicUrl ?? 'http://localhost')
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: SEND_TIMEOUT_MS,
    socketTimeout: SEND_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  await transport.sendMail({
    from: mailSender(ctx.config),
    to: { name: '', address: mail.recipient },
    subject,
    text,
    attachments: attachments.map(({ filename, mediaType, content }) => ({
      filename,
      contentType: mediaType,
      content,
    })),
    ...(calendar ? { icalEvent: calendar } : {}),
    // The same id at every attempt lets a mail client drop a duplicate.
    messageId: `<${mail.id}@${hostname}>`,
    date: new Date(mail.created_at),
    headers: {
      'auto-submitted': 'auto-generated',
      ...(language ? { 'content-language': language } : {}),
    },
    signal: AbortSignal.any([signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]),
  })
}

function classify(error: unknown): JobFailure {
  const message = error instanceof Error ? error.message : String(error)
  return {
    reason: message.slice(0, MAX_ERROR_LENGTH),
    isExpected: true,
    isPermanent: isPermanent(error),
  }
}

/** Returns whether the SMTP server rejected the mail itself, so that a retry would fail too. */
function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('responseCode' in error)) return false
  const isOfMail = error.code === 'EENVELOPE' || error.code === 'EMESSAGE'
  return isOfMail && typeof error.responseCode === 'number' && error.responseCode >= 500
}
