import { type MailStrings, en } from '../locales/mail.en.ts'
import { tr } from '../locales/mail.tr.ts'

/** The words of mails in a workspace's language: Turkish for `tr` and its kin, else English. */
export function mailStrings(locale: string): MailStrings {
  return /^tr\b/i.test(locale) ? tr : en
}
