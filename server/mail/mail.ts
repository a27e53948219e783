import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Context, Transaction } from '../context.ts'
import { DAY_MS } from '../lib/durations.ts'
import { newId } from '../lib/ids.ts'
import { type MailStrings, en } from '../locales/mail.en.ts'
import { tr } from '../locales/mail.tr.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'
import { type MailRow, failOldMails, insertMail, outgoingMails } from './store.ts'

/** The age at which a queued mail fails. */
export const MAIL_MAX_AGE_MS = DAY_MS
const MAIL_RETENTION_MS = 7 * DAY_MS

const Content = z.object({
  /** Absent in mails that an earlier version queued. */
  language: z.string().optional(),
  subject: z.string(),
  text: z.string(),
  attachments: z.array(
    z.object({ filename: z.string(), mediaType: z.string(), content: z.string() }),
  ),
  calendar: z
    .object({ method: z.enum(['REQUEST', 'CANCEL']), filename: z.string(), content: z.string() })
    .optional(),
})
export type MailContent = z.infer<typeof Content>

/** A mail to one person. Attachments are text, such as a calendar file. */
export interface NewMail {
  workspaceId: string
  to: string
  /** The language of the text, for `Content-Language` (RFC 3282). */
  language: string
  subject: string
  text: string
  attachments?: readonly { filename: string; mediaType: string; content: string }[]
  /** An iTIP message (RFC 5546), sent beside the text and as a file. */
  calendar?: MailContent['calendar']
}

/**
 * Enqueues a mail in the transaction that caused the mail: a commit guarantees the mail, also when
 * the process crashes after the commit. The mailer retries for a day. The content is encrypted, and
 * removed once the mail is sent or has failed.
 */
export async function queueMail(tx: Transaction, mail: NewMail): Promise<void> {
  const id = newId('mail')
  const now = tx.now()
  const content: MailContent = {
    language: mail.language,
    subject: mail.subject,
    text: mail.text,
    attachments: [...(mail.attachments ?? [])],
    ...(mail.calendar ? { calendar: mail.calendar } : {}),
  }
  await insertMail(tx.db, {
    id,
    workspace_id: mail.workspaceId,
    recipient: mail.to,
    content: tx.secrets.encrypt(JSON.stringify(content), id),
    state: 'waiting',
    attempts: 0,
    created_at: now,
    next_at: now,
  })
  outgoingMails.notify(tx)
}

/** Returns the sender of mails: `MAIL_FROM`, or `no-reply@` and the host of `PUBLIC_URL`. */
export function mailSender({ mailFrom, publicUrl }: Config): { name: string; address: string } {
  const { hostname } = new URL(publicUrl ?? 'http://localhost')
  return mailFrom ?? { name: 'Sohbet', address: `no-reply@${hostname}` }
}

/** Returns the content of a queued mail. Throws when its encryption key is gone. */
export function decryptMailContent(secrets: Secrets, { id, content }: MailRow): MailContent {
  if (content === null) throw new Error(`The mail ${id} has ended.`)
  return Content.parse(JSON.parse(secrets.decrypt(content, id)))
}

/** Fails queued mails after a day, and deletes ended mails after a week. Idempotent. */
export async function expireMails(ctx: Context): Promise<void> {
  const now = ctx.now()
  await failOldMails(ctx.db, now - MAIL_MAX_AGE_MS, now)
  await outgoingMails.deleteEnded(ctx.db, now - MAIL_RETENTION_MS)
}

/** Returns the texts of mails: Turkish for `tr` and its regions, else English. */
export function mailStrings(locale: string): MailStrings {
  return /^tr\b/i.test(locale) ? tr : en
}
