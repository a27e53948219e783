import { createHash } from 'node:crypto'
import type { Citation, HistoryMessage } from '../chat/schema.ts'
import { escaped } from '../lib/text/markup.ts'
import {
  type TenantRow,
  leadFormOf,
  privacyOf,
  originsOf,
  parseTenant,
  visitorTexts,
} from '../tenants/tenants.ts'
import { stylesheet } from './stylesheet.ts'
import { lines, renderMarkdown } from './markdown-html.ts'
import type { Notice } from './schema.ts'
import { ar } from '../locales/noscript/ar.ts'
import { de } from '../locales/noscript/de.ts'
import { en, type NoscriptStrings } from '../locales/noscript/en.ts'
import { tr } from '../locales/noscript/tr.ts'

const RIGHT_TO_LEFT = /^(ar|fa|he|ur)\b/i
/** Notices that need an action of the visitor have the role `alert`; the others are a `status`. */
const ALERTS = new Set<Notice>(['wait', 'unpaid', 'failed', 'wrong'])

/** The data of one rendering of the page. */
export interface NoscriptView {
  tenant: TenantRow
  locale: string
  messages: readonly HistoryMessage[]
  state: string | undefined
  notice: Notice | undefined
  /** Names of the invalid fields. */
  wrong: readonly string[]
  /** The visitor's entries in a form that was refused. */
  entries: Record<string, string | undefined>
  /** Idempotency key of the next message. */
  nextId: string
  /** Whether another page shows this one in a frame, where links would replace the conversation. */
  isFramed: boolean
  /** The visitor's token, which the forms carry where the browser keeps no cookie. */
  token: string | undefined
}

/** A page and its content security policy: no scripts, one style sheet. */
export interface NoscriptPage {
  html: string
  policy: string
}

/** Renders the conversation of a visitor with a site. */
export function noscriptPage(view: NoscriptView): NoscriptPage {
  const { tenant, locale } = view
  const strings = noscriptStrings(locale)
  const { theme } = parseTenant(tenant)
  const { greeting } = visitorTexts(tenant, locale)
  const name = escaped(tenant.name)
  const mark = escaped(Array.from(tenant.name)[0]?.toLocaleUpperCase(locale) ?? '')
  return pageShell(
    `${strings.title} · ${tenant.name}`,
    {
      locale,
      look: stylesheet(theme),
      ancestors: originsOf(tenant),
      head: view.isFramed ? '<base target="_blank">' : '',
    },
    `<header><span class="mark" aria-hidden="true">${mark}</span><h1><bdi>${name}</bdi></h1></header>
<main>
${renderNotice(view)}
<p class="greeting" dir="auto">${lines(greeting || strings.greeting)}</p>
${view.messages.length === 0 ? renderSuggestions(view) : renderMessages(view)}
${openForm(view, 'composer')}
<input type="hidden" name="id" value="${escaped(view.nextId)}">
<label for="message">${escaped(strings.write)}</label>
<textarea id="message" name="message" rows="1" maxlength="4000" required dir="auto">${escaped(view.entries['message'] ?? '')}</textarea>
<button>${escaped(strings.send)}</button>
</form>
${renderActions(view)}
</main>`,
  )
}

/** Renders a conversation for reading, as the link of a transcript shows it. */
export function transcriptPage(
  view: Pick<NoscriptView, 'tenant' | 'locale' | 'messages'>,
): NoscriptPage {
  const { tenant, locale } = view
  const strings = noscriptStrings(locale)
  return pageShell(
    `${strings.conversation} · ${tenant.name}`,
    { locale, look: stylesheet(parseTenant(tenant).theme) },
    `<header><h1><bdi>${escaped(tenant.name)}</bdi></h1></header>
<main>
${renderMessages(view)}
</main>`,
  )
}

/** Renders the page for an address without a chat, or without a conversation to read. */
export function notFoundPage(
  locale: string,
  what: 'gone' | 'transcriptGone' = 'gone',
): NoscriptPage {
  const strings = noscriptStrings(locale)
  const body = `<main><h1 class="greeting">${escaped(strings[what])}</h1></main>`
  return pageShell(strings.title, { locale, look: stylesheet({}) }, body)
}

function pageShell(
  title: string,
  {
    locale,
    look,
    ancestors = [],
    head = '',
  }: { locale: string; look: string; ancestors?: readonly string[]; head?: string },
  body: string,
): NoscriptPage {
  const html = `<!doctype html>
<html lang="${escaped(locale)}" dir="${RIGHT_TO_LEFT.test(locale) ? 'rtl' : 'ltr'}">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex"><link rel="icon" href="data:,">
<title>${escaped(title)}</title>${head}
<style>${look}</style>
${body}</html>
`
  const digest = createHash('sha256').update(look).digest('base64')
  const policy = [
    "default-src 'none'",
    'img-src data:',
    `style-src 'sha256-${digest}'`,
    "form-action 'self'",
    `frame-ancestors ${ancestors.length > 0 ? ancestors.join(' ') : "'none'"}`,
    "base-uri 'none'",
  ].join('; ')
  return { html, policy }
}

/**
 * Returns the start of a form. The answer scrolls to the newest message, as the redirect does that
 * browsers with the cookie get.
 */
function openForm({ locale, isFramed, token }: NoscriptView, kind: string): string {
  const target = isFramed ? ' target="_self"' : ''
  const visitor = token ? `<input type="hidden" name="visitor" value="${escaped(token)}">` : ''
  return `<form method="post" action="?locale=${escaped(locale)}#new" class="${kind}"${target}>${visitor}`
}

/** Renders the site's quick replies as buttons. */
function renderSuggestions(view: NoscriptView): string {
  const { tenant, locale, nextId } = view
  const { quickReplies } = visitorTexts(tenant, locale)
  if (quickReplies.length === 0) return ''
  const buttons = quickReplies.map(
    (text) =>
      `<button name="message" value="${escaped(text)}" dir="auto">${escaped(text)}</button>`,
  )
  return `${openForm(view, 'chips')}<input type="hidden" name="id" value="${escaped(nextId)}">${buttons.join('')}</form>`
}

function renderMessages({
  messages,
  locale,
  tenant,
}: Pick<NoscriptView, 'messages' | 'locale' | 'tenant'>): string {
  const strings = noscriptStrings(locale)
  const clock = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: tenant.time_zone,
  })
  const newest = messages.findLast(({ role }) => role === 'visitor') ?? messages.at(-1)
  const items = messages.map((message) => {
    const { role, content, citations, created_at } = message
    const time = `<time datetime="${escaped(created_at)}">${escaped(clock.format(new Date(created_at)))}</time>`
    const text =
      role === 'visitor' ? `<p dir="auto">${lines(content)}</p>` : renderMarkdown(content)
    // The browser scrolls here after a message: to the question, with the answer below it.
    const place = message === newest ? ' id="new"' : ''
    return `<li class="${role}"${place}><span class="who">${escaped(strings[role])} · <bdi>${time}</bdi></span><div class="bubble">${text}</div>${renderSources(citations, strings.sources)}</li>`
  })
  return `<ol class="log" aria-label="${escaped(strings.conversation)}">${items.join('\n')}</ol>`
}

function renderSources(citations: readonly Citation[], label: string): string {
  const links = citations.flatMap(({ title, heading, url, anchor, quote }) => {
    if (url === null || !/^https?:/.test(url)) return []
    const name = heading && heading !== title ? `${title} › ${heading}` : title
    return `<li><a href="${escaped(textFragmentUrl(url, anchor, quote))}" rel="noopener"><bdi>${escaped(name)}</bdi></a></li>`
  })
  return links.length > 0
    ? `<ul class="sources" aria-label="${escaped(label)}">${links.join('')}</ul>`
    : ''
}

/** Returns the URL of a passage, with a text fragment for its sentence. */
function textFragmentUrl(page: string, anchor: string | null, quote = ''): string {
  const [path = page, fragment = anchor ?? ''] = page.split('#')
  const sentence = quote && `:~:text=${encodeURIComponent(quote).replaceAll('-', '%2D')}`
  return fragment || sentence ? `${path}#${fragment}${sentence}` : page
}

function renderNotice({ notice, locale }: NoscriptView): string {
  if (notice === undefined) return ''
  const strings = noscriptStrings(locale)
  const text = notice === 'code' ? strings.codeSent : strings[notice]
  const role = ALERTS.has(notice) ? 'alert' : 'status'
  return `<p class="notice" role="${role}">${escaped(text)}</p>`
}

function renderActions(view: NoscriptView): string {
  const { tenant, locale, state, messages } = view
  const strings = noscriptStrings(locale)
  const again = view.token
    ? `${openForm(view, 'again')}<input type="hidden" name="wish" value="refresh"><button class="bare">${escaped(strings.again)}</button></form>`
    : `<p><a href="?locale=${escaped(locale)}#new" target="_self">${escaped(strings.again)}</a></p>`
  const person = `${openForm(view, 'person')}<input type="hidden" name="wish" value="person"><button class="bare">${escaped(strings.person)}</button></form>`
  const erase = `<details><summary>${escaped(strings.erase)}</summary>${openForm(view, 'erase')}<p>${escaped(strings.eraseSure)}</p><input type="hidden" name="wish" value="erase"><button class="quiet">${escaped(strings.erase)}</button></form></details>`
  return `<div class="more">
${messages.length > 0 ? again : ''}
${state === 'bot' && tenant.handoff !== 'off' ? person : ''}
${leadFormOf(tenant).enabled ? renderContactForm(view) : ''}
${messages.length > 0 ? erase : ''}
</div>`
}

function renderContactForm(view: NoscriptView): string {
  const { tenant, locale, notice, wrong, entries } = view
  const strings = noscriptStrings(locale)
  const { consent_text, required } = leadFormOf(tenant, locale)
  const { consent_required, policy_url } = privacyOf(tenant)
  const consent = consent_text || (consent_required ? strings.consent : '')
  const field = (name: 'name' | 'phone' | 'email' | 'code', kind: string): string => {
    const isWrong = wrong.includes(name)
    const about = isWrong ? ` aria-invalid="true" aria-describedby="${name}-wrong"` : ''
    const why = isWrong ? `<p class="wrong" id="${name}-wrong">${escaped(strings.check)}</p>` : ''
    return `<label for="${name}">${escaped(strings[name])}</label><input id="${name}" name="${name}" ${kind} required value="${escaped(entries[name] ?? '')}"${about}>${why}`
  }
  const isOpen = notice === 'code' || notice === 'wrong' || notice === 'unpaid' || notice === 'away'
  return `<details${isOpen ? ' open' : ''}><summary>${escaped(strings.contact)}</summary>${openForm(view, 'contact')}
${required.includes('name') ? field('name', 'autocomplete="name" maxlength="200"') : ''}
${required.includes('phone') ? field('phone', 'type="tel" autocomplete="tel" maxlength="40"') : ''}
${required.includes('email') ? field('email', 'type="email" autocomplete="email" maxlength="254"') : ''}
${consent ? `<label class="check"><input type="checkbox" name="consent" value="yes" required> ${escaped(consent)}</label>` : ''}
${policy_url ? `<p><a href="${escaped(policy_url)}" rel="noopener">${escaped(strings.policy)}</a></p>` : ''}
${notice === 'code' || entries['code'] !== undefined ? field('code', 'inputmode="numeric" autocomplete="one-time-code" maxlength="6"') : ''}
<button>${escaped(strings.submit)}</button></form></details>`
}

const LANGUAGES = new Map<string, NoscriptStrings>([
  ['tr', tr],
  ['de', de],
  ['ar', ar],
])

/** Returns the strings of a locale; English for an unknown one. */
function noscriptStrings(locale: string): NoscriptStrings {
  return LANGUAGES.get(locale.slice(0, 2).toLowerCase()) ?? en
}
