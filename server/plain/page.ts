import { createHash } from 'node:crypto'
import type { HistoryMessage } from '../chat/schema.ts'
import { type TenantRow, leadFormOf, privacyOf, showTenant } from '../chat/tenants.ts'
import type { Notice } from './schema.ts'
import { plainWords } from './words.ts'

const RIGHT_TO_LEFT = /^(ar|fa|he|ur)\b/i
const USUAL_COLOR = '#2255ee'

/** What one view of the conversation shows. */
export interface PlainView {
  tenant: TenantRow
  locale: string
  messages: readonly HistoryMessage[]
  state: string | undefined
  notice: Notice | undefined
  /** What a visitor had written in a form that was not taken. */
  kept: Record<string, string | undefined>
  /** Of the next message. */
  nextId: string
}

/** The page and the content security policy that it needs: no script, one style. */
export function plainPage(view: PlainView): { html: string; policy: string } {
  const { tenant, locale } = view
  const words = plainWords(locale)
  const { theme, greeting } = showTenant(tenant)
  const style = styleOf(theme.color ?? USUAL_COLOR)
  const name = escaped(tenant.name)
  const html = `<!doctype html>
<html lang="${escaped(locale)}" dir="${RIGHT_TO_LEFT.test(locale) ? 'rtl' : 'ltr'}">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(words.title)} · ${name}</title>
<style>${style}</style>
<main>
<header><h1><bdi>${name}</bdi></h1></header>
<p dir="auto">${lines(greeting || words.greeting)}</p>
${logOf(view)}
${noticeOf(view)}
<form method="post" id="end">
<input type="hidden" name="id" value="${escaped(view.nextId)}">
<label for="message">${escaped(words.write)}</label>
<textarea id="message" name="message" rows="3" maxlength="4000" required dir="auto"${view.messages.length > 0 ? ' autofocus' : ''}>${escaped(view.kept['message'] ?? '')}</textarea>
<button>${escaped(words.send)}</button>
</form>
${moreOf(view)}
</main></html>
`
  const digest = createHash('sha256').update(style).digest('base64')
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${digest}'`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
  return { html, policy }
}

function logOf({ messages, locale }: PlainView): string {
  if (messages.length === 0) return ''
  const words = plainWords(locale)
  const said = messages.map(({ role, content, citations }) => {
    const sources = citations.flatMap(({ title, url }) =>
      url ? [`<li><a href="${escaped(url)}" rel="noopener">${escaped(title)}</a></li>`] : [],
    )
    return `<li class="${role}"><b>${escaped(words[role])}</b><div dir="auto">${lines(plain(content))}</div>${
      sources.length > 0
        ? `<ul aria-label="${escaped(words.sources)}">${sources.join('')}</ul>`
        : ''
    }</li>`
  })
  return `<ol class="log" aria-label="${escaped(words.conversation)}">${said.join('\n')}</ol>`
}

function noticeOf({ notice, locale }: PlainView): string {
  if (notice === undefined) return ''
  const words = plainWords(locale)
  const text = notice === 'code' ? words.codeSent : words[notice]
  return `<p role="status">${escaped(text)}</p>`
}

function moreOf({ tenant, locale, state, messages, notice, kept }: PlainView): string {
  const words = plainWords(locale)
  const { enabled, consent_text } = leadFormOf(tenant)
  const consent = consent_text || (privacyOf(tenant).consent_required ? words.consent : '')
  const button = (wish: string, label: string): string =>
    `<form method="post"><input type="hidden" name="wish" value="${wish}"><button class="quiet">${escaped(label)}</button></form>`
  const field = (name: 'name' | 'phone' | 'email', kind: string): string =>
    `<label for="${name}">${escaped(words[name])}</label><input id="${name}" name="${name}" ${kind} required value="${escaped(kept[name] ?? '')}">`
  const isOpen = notice === 'code' || notice === 'wrong' || notice === 'unpaid' || notice === 'away'
  const contact = `<details${isOpen ? ' open' : ''}><summary>${escaped(words.contact)}</summary><form method="post">
${field('name', 'autocomplete="name" maxlength="200"')}
${field('phone', 'type="tel" autocomplete="tel" maxlength="40"')}
${field('email', 'type="email" autocomplete="email" maxlength="254"')}
${consent ? `<label class="check"><input type="checkbox" name="consent" value="yes" required> ${escaped(consent)}</label>` : ''}
${notice === 'code' || kept['code'] !== undefined ? `<label for="code">${escaped(words.code)}</label><input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="6" required>` : ''}
<button>${escaped(words.submit)}</button></form></details>`
  return `<div class="more">
${messages.length > 0 ? `<p><a href="?locale=${escaped(locale)}#end">${escaped(words.again)}</a></p>` : ''}
${enabled ? contact : ''}
${state === 'bot' && tenant.handoff !== 'off' ? button('person', words.person) : ''}
${messages.length > 0 ? button('erase', words.erase) : ''}
</div>`
}

/** Markdown without its signs: what a reader without style sheets sees anyway. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/```\w*\n?/g, '')
    .replaceAll(/\*\*([^*\n]+)\*\*/g, '$1')
    .replaceAll(/\[([^\]\n]+)\]\((https?:[^\s)]+)\)/g, '$1 ($2)')
}

const lines = (text: string): string => escaped(text).replaceAll('\n', '<br>')

function styleOf(color: string): string {
  return `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 38rem; margin: 0 auto; padding: 1rem }
header { border-block-end: .25rem solid ${color} }
h1 { font-size: 1.3rem; margin: .5rem 0 }
.log { list-style: none; padding: 0 }
.log li { margin: 0 0 1rem; padding: .6rem .9rem; border-radius: .8rem; background: light-dark(#f1f2f5, #24272f); overflow-wrap: anywhere }
.log .visitor { margin-inline-start: 15%; border-inline-end: .25rem solid ${color} }
.log .assistant, .log .operator { margin-inline-end: 10% }
.log .system { background: none; text-align: center }
.log b { font-size: .8rem }
.log ul { margin: .4rem 0 0; padding-inline-start: 1.2rem; font-size: .9rem }
.log ul li { margin: 0; padding: 0; background: none }
label { display: block; margin: .8rem 0 .2rem; font-weight: 600 }
.check { display: flex; gap: .6rem; font-weight: 400 }
textarea, input:not([type=checkbox]) { box-sizing: border-box; width: 100%; padding: .6rem .8rem; border: 1px solid light-dark(#858b98, #757c8a); border-radius: .6rem; font: inherit }
button { margin-block-start: .8rem; padding: .7rem 1.2rem; min-height: 44px; border: 0; border-radius: .6rem; background: light-dark(#171a21, #eceef3); color: light-dark(#fff, #171a21); font: inherit; font-weight: 600; cursor: pointer }
.quiet { background: none; border: 1px solid; color: inherit }
.more { margin-block-start: 2rem; border-block-start: 1px solid light-dark(#dfe2e8, #363b46); padding-block-start: 1rem }
summary { min-height: 44px; align-content: center; font-weight: 600; cursor: pointer }
[role=status] { padding: .6rem 1rem; border-inline-start: .25rem solid ${color} }
`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
