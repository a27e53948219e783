import { z } from 'zod'
import type { Context, Transaction } from '../context.ts'
import { newId } from '../lib/ids.ts'
import { type MailWords, en } from '../locales/mail.en.ts'
import { tr } from '../locales/mail.tr.ts'
import type { Secrets } from '../platform/secrets/secrets.ts'
import { type MailRow, failOldMails, insertMail, outgoingMails } from './store.ts'

const DAY_MS = 86_400_000
/** A mail that could not be sent by this age is given up. */
export const MAIL_MAX_AGE_MS = DAY_MS
const MAIL_RETENTION_MS = 7 * DAY_MS

const Content = z.object({
  subject: z.string(),
  text: z.string(),
  attachments: z.array(
    z.object({ filename: z.string(), mediaType: z.string(), content: z.string() }),
  ),
})
export type MailContent = z.infer<typeof Content>

/** A mail to one person. Attachments are text, such as a calendar file. */
export interface NewMail {
  workspaceId: string
  to: string
  subject: string
  text: string
  attachments?: readonly { filename: string; mediaType: string; content: string }[]
}

/**
 * Writes a mail down in the transaction that caused it: it is sent if that commits, also when the
 * process dies right after, and tried again for a day. What it says is sealed and not kept longer
 * than it takes to send it.
 */
export async function queueMail(tx: Transaction, mail: NewMail): Promise<void> {
  const id = newId('mail')
  const now = tx.now()
  const content: MailContent = {
    subject: mail.subject,
    text: mail.text,
    attachments: [...(mail.attachments ?? [])],
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

/** What a mail that waits says. Throws when the key that sealed it is gone. */
export function decryptMailContent(secrets: Secrets, { id, content }: MailRow): MailContent {
  if (content === null) throw new Error(`The mail ${id} has ended.`)
  return Content.parse(JSON.parse(secrets.decrypt(content, id)))
}

/** Gives up mails after a day, and forgets after a week that there were any. */
export async function expireMails(ctx: Context): Promise<void> {
  const now = ctx.now()
  await failOldMails(ctx.db, now - MAIL_MAX_AGE_MS, now)
  await outgoingMails.deleteEnded(ctx.db, now - MAIL_RETENTION_MS)
}

/** The words of mails in a workspace's language: Turkish for `tr` and its kin, else English. */
export function mailStrings(locale: string): MailWords {
  return /^tr\b/i.test(locale) ? tr : en
}
