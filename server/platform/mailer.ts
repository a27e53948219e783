import type { Context } from '../context.ts'
import { Pump } from '../jobs/poll-loop.ts'
import { MAIL_LIFE_MS, contentOf } from './mail.ts'
import { type MailRow, claimMails, delayMail, endMail } from './store.mails.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
/** Before each further try; the last of them repeats. */
const WAITS_MS = [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS]
/** The net under wake-ups that got lost or were in another process. */
const POLL_MS = 5 * SECOND_MS
/** Longest time over one mail, from the connection to the server's last word. */
const SENDING_MS = 45 * SECOND_MS
/** Who has a mail in hand for longer has died. */
const LEASE_MS = 2 * MINUTE_MS
const STOP_MS = 5 * SECOND_MS
const MOST_AT_ONCE = 5
const LONGEST_ERROR = 300

export interface Mailer {
  /** Takes nothing more, and waits 5 s at most for what is under way. */
  stop(): Promise<void>
}

/** Hands mails over to the server at `SMTP_URL` as they are written down; without one they wait. */
export function startMailer(ctx: Context): Mailer {
  const { smtpUrl } = ctx.config
  if (!smtpUrl) return { stop: async () => undefined }
  const mailer = new SmtpMailer(ctx, smtpUrl)
  mailer.start()
  return mailer
}

class SmtpMailer implements Mailer {
  readonly #ctx: Context
  readonly #smtpUrl: string
  readonly #stopping = new AbortController()
  readonly #pump: Pump

  constructor(ctx: Context, smtpUrl: string) {
    this.#ctx = ctx
    this.#smtpUrl = smtpUrl
    this.#pump = new Pump({
      clock: ctx.clock,
      wakeups: ctx.wakeups,
      topic: 'mails',
      pollMs: POLL_MS,
      work: () => this.#sendSome(),
      onFailure: (error) => ctx.log.error({ err: error }, 'mails could not be sent'),
    })
  }

  start(): void {
    this.#pump.start()
    this.#pump.wake()
  }

  async stop(): Promise<void> {
    const late = setTimeout(() => this.#stopping.abort(), STOP_MS)
    await this.#pump.stop()
    clearTimeout(late)
  }

  async #sendSome(): Promise<void> {
    const now = this.#ctx.now()
    const claim = { now, until: now + LEASE_MS, most: MOST_AT_ONCE }
    const mails = await claimMails(this.#ctx.db, claim)
    await Promise.all(mails.map((mail) => this.#send(mail)))
    if (mails.length === MOST_AT_ONCE) this.#pump.wake()
  }

  async #send(mail: MailRow): Promise<void> {
    const { db, log } = this.#ctx
    try {
      await this.#handOver(mail)
    } catch (error) {
      const reason = reasonOf(error)
      const now = this.#ctx.now()
      const wait = WAITS_MS[Math.min(mail.attempts, WAITS_MS.length) - 1] ?? 0
      const isOver = isPermanent(error) || now + wait >= mail.created_at + MAIL_LIFE_MS
      log.warn({ mail: mail.id, attempt: mail.attempts, reason, isOver }, 'a mail was not sent')
      if (isOver) await endMail(db, mail, { state: 'failed', error: reason, at: now })
      else await delayMail(db, mail, { nextAt: now + wait, error: reason })
      return
    }
    await endMail(db, mail, { state: 'sent', error: null, at: this.#ctx.now() })
  }

  async #handOver(mail: MailRow): Promise<void> {
    const { subject, text, attachments } = contentOf(this.#ctx.secrets, mail)
    const { createTransport } = await import('nodemailer')
    const { hostname } = new URL(this.#ctx.config.publicUrl ?? 'http://localhost')
    const transport = createTransport({
      url: this.#smtpUrl,
      connectionTimeout: SENDING_MS,
      socketTimeout: SENDING_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    await transport.sendMail({
      from: this.#ctx.config.mailFrom ?? { name: 'Sohbet', address: `no-reply@${hostname}` },
      to: { name: '', address: mail.recipient },
      subject,
      text,
      attachments: attachments.map(({ filename, mediaType, content }) => ({
        filename,
        contentType: mediaType,
        content,
      })),
      // The same at every try: who gets it twice can tell.
      messageId: `<${mail.id}@${hostname}>`,
      date: new Date(mail.created_at),
      headers: { 'auto-submitted': 'auto-generated' },
      signal: AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(SENDING_MS)]),
    })
  }
}

/** The server refused this very mail: the same again would be refused again. */
function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('responseCode' in error)) return false
  const isOfMail = error.code === 'EENVELOPE' || error.code === 'EMESSAGE'
  return isOfMail && typeof error.responseCode === 'number' && error.responseCode >= 500
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_ERROR)
}
