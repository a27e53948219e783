import type { Transaction } from '../context.ts'
import { textOfMessage } from '../lib/text/markdown-text.ts'
import { oneLine, withoutLinks } from '../lib/text/typed-text.ts'
import type { NotificationStrings } from '../locales/notification.en.ts'
import {
  type CreditsNotice,
  type MemberNotice,
  type NotifiedConversation,
  type WebhookNotice,
  notificationStrings,
} from './notices.ts'

interface Recipient {
  name: string
  locale: string
  timeZone: string
}

interface Email {
  language: string
  subject: string
  text: string
}

const MAX_LINE_LENGTH = 300

/** Returns what happened in a line: a subject, a line of a digest, a push message. */
export function headline(notice: MemberNotice, locale: string): string {
  const words = notificationStrings(locale)
  switch (notice.kind) {
    case 'credits':
      return words.credits({ remaining: formatCredits(notice.data.remaining, locale) })
    case 'webhooks':
      return words.webhooks({ host: notice.data.host })
    case 'lead': {
      const { lead, site } = notice.conversation
      // The site's form may not ask for a name.
      const who = lead?.name ? withoutLinks(lead.name) : oneLine(lead?.email || lead?.phone || '')
      return words.lead({ site: oneLine(site), who })
    }
    case 'handoff':
    case 'waiting':
      return words[notice.kind]({ site: oneLine(notice.conversation.site) })
  }
}

/** Returns the panel's page of a notification. */
export function panelLink({ config }: Transaction, notice: MemberNotice): string {
  const page = 'conversation' in notice ? `inbox/${notice.conversation.session.id}` : notice.kind
  return `${config.publicUrl ?? ''}/panel/${page}`
}

/** Returns the mail about one matter: a conversation, the credits, or a webhook. */
export function buildEmail(
  ctx: Transaction,
  recipient: Recipient,
  notices: readonly [MemberNotice, ...MemberNotice[]],
): Email {
  const [first] = notices
  const words = notificationStrings(recipient.locale)
  const link = panelLink(ctx, first)
  if (first.kind === 'webhooks') {
    return buildWebhookEmail(first.data, recipient, words)
  }
  const subject = headline(first, recipient.locale)
  const body =
    first.kind === 'credits'
      ? [creditsText(first.data, recipient, words), `${words.openHere}\n${link}`]
      : [
          notices.map((notice) => `${headline(notice, recipient.locale)}.`).join('\n'),
          ...conversationLines(first.conversation, words),
          `${words.answerHere}\n${link}`,
        ]
  const paragraphs = [words.hello(oneLine(recipient.name)), ...body, footer(ctx, words)]
  return { language: words.language, subject, text: `${paragraphs.join('\n\n')}\n` }
}

/** Returns the mail of an hour; `others` are notifications that it only counts. */
export function buildDigest(
  ctx: Transaction,
  recipient: Recipient,
  { notices, others }: { notices: readonly MemberNotice[]; others: number },
): Email {
  const words = notificationStrings(recipient.locale)
  const clock = new Intl.DateTimeFormat(recipient.locale, {
    timeZone: recipient.timeZone,
    timeStyle: 'short',
  })
  const entries = notices.map(
    (notice) =>
      `${clock.format(notice.at)}  ${headline(notice, recipient.locale)}\n${panelLink(ctx, notice)}`,
  )
  if (others > 0) entries.push(words.others(others))
  return {
    language: words.language,
    subject: words.digest(notices.length + others),
    text: `${[words.hello(oneLine(recipient.name)), ...entries, footer(ctx, words)].join('\n\n')}\n`,
  }
}

function buildWebhookEmail(
  { id, host, why }: WebhookNotice,
  { name }: Recipient,
  { language, webhook }: NotificationStrings,
): Email {
  const values = { id, host, name: oneLine(name) }
  return { language, subject: webhook.subject(values), text: webhook[why](values) }
}

function creditsText(
  data: CreditsNotice,
  { locale, timeZone }: Recipient,
  words: NotificationStrings,
): string {
  const resetAt = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'long' }).format(
    Date.parse(data.reset_at),
  )
  return words.creditsText({
    remaining: formatCredits(data.remaining, locale),
    limit: formatCredits(data.monthly_limit, locale),
    resetAt,
  })
}

function conversationLines(
  { lead, lines }: NotifiedConversation,
  words: NotificationStrings,
): string[] {
  const contact = lead
    ? [[oneLine(lead.name ?? ''), lead.phone, lead.email].filter(Boolean).join('\n')]
    : []
  const said = lines.flatMap(({ role, content }) =>
    role === 'system'
      ? []
      : `${words[role]}: ${oneLine(textOfMessage({ role, content }), MAX_LINE_LENGTH)}`,
  )
  return [...contact, ...(said.length > 0 ? [`${words.lastLines}\n${said.join('\n')}`] : [])]
}

function footer({ config }: Transaction, words: NotificationStrings): string {
  return `${words.chooseHere}\n${config.publicUrl ?? ''}/panel/account/notifications`
}

function formatCredits(credits: number, locale: string): string {
  return new Intl.NumberFormat(locale).format(credits)
}
