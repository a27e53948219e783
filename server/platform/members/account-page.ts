import { createHash } from 'node:crypto'
import { Markup, html } from '../../lib/text/markup.ts'
import { type AccountPageStrings, en } from '../../locales/account-pages.en.ts'
import { tr } from '../../locales/account-pages.tr.ts'

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 28rem; margin: 0 auto; padding: 2rem 1rem }
h1 { font-size: 1.4rem }
h2 { font-size: 1rem; margin-top: 3rem }
label { display: block; margin-top: 1rem }
input, button { font: inherit; padding: .6rem .8rem; border-radius: .5rem; border: 1px solid GrayText }
input { box-sizing: border-box; width: 100% }
button { margin-top: 1.5rem; cursor: pointer; color: #fff; background: #0f766e; border-color: #0f766e }
[role] { padding: .6rem 1rem; border-inline-start: .25rem solid }
`
/**
 * Moves the code out of the URL, so that the browser history does not store the code. Another link to
 * this page changes only the fragment, so the script reloads the page.
 */
const SCRIPT = `
const token = new URLSearchParams(location.hash.slice(1)).get('token')
const field = document.getElementById('token')
if (token && field) {
  field.value = token
  history.replaceState(null, '', location.pathname)
}
addEventListener('hashchange', () => location.replace(location.pathname + '?' + location.hash))
`
// Not a template literal with `html`: the formatter would change the spaces, and so the digest.
const STYLE_TAG = new Markup(`<style>${STYLE}</style>`)
const SCRIPT_TAG = new Markup(`<script>${SCRIPT}</script>`)
const digestOf = (text: string) => createHash('sha256').update(text).digest('base64')

/** The content security policy of these pages: their own style and script alone. */
export const ACCOUNT_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${digestOf(STYLE)}'`,
  `script-src 'sha256-${digestOf(SCRIPT)}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

export type AccountPageKind = 'password' | 'invitation'

/** The result of a submitted form. */
export type AccountPageResult =
  | 'done'
  | 'mailed'
  | 'unauthenticated'
  | keyof AccountPageStrings['problems']
  | undefined

/**
 * Returns the page behind a link in a mail, in the reader's language. The script only fills in the
 * code: without scripts the code is typed. `values` are the submitted fields to show again.
 */
export function accountPage(
  kind: AccountPageKind,
  {
    language,
    outcome,
    values,
  }: { language: string; outcome: AccountPageResult; values: Readonly<Record<string, string>> },
): string {
  const isTurkish = /^tr\b/i.test(language)
  const words = isTurkish ? tr : en
  const { title, lead } = words[kind]
  const isOpen = outcome !== 'done'
  return html`<!doctype html>
    <html lang="${isTurkish ? 'tr' : 'en'}">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <title>${title}</title>
      ${STYLE_TAG}
      <main>
        <h1>${title}</h1>
        ${noticeOf(kind, words, outcome)} ${isOpen ? html`<p>${lead}</p>` : html``}
        ${isOpen ? formOf(kind, words, values) : html``}
        ${isOpen && kind === 'password' ? requestForm(words) : html``}
      </main>
      ${SCRIPT_TAG}
    </html> `.text
}

function noticeOf(
  kind: AccountPageKind,
  words: AccountPageStrings,
  outcome: AccountPageResult,
): Markup {
  if (outcome === undefined) return html``
  if (outcome === 'done') return html`<p role="status">${words[kind].done}</p>`
  if (outcome === 'mailed') return html`<p role="status">${words.forgotten.done}</p>`
  const problem = outcome === 'unauthenticated' ? words[kind].spent : words.problems[outcome]
  return html`<p role="alert">${problem}</p>`
}

function formOf(
  kind: AccountPageKind,
  words: AccountPageStrings,
  { token = '', name: called = '' }: Readonly<Record<string, string>>,
): Markup {
  const name = html`<label for="name">${words.name}</label>
    <input id="name" name="name" value="${called}" autocomplete="name" maxlength="200" required />`
  return html`<form method="post">
    <label for="token">${words.code}</label>
    <input id="token" name="token" value="${token}" autocomplete="off" maxlength="200" required />
    ${kind === 'invitation' ? name : html``}
    <label for="password">${words.newPassword}</label>
    <input
      id="password"
      name="password"
      type="password"
      autocomplete="new-password"
      minlength="8"
      maxlength="200"
      required
    />
    <button>${words[kind].button}</button>
  </form>`
}

function requestForm(words: AccountPageStrings): Markup {
  return html`<h2>${words.forgotten.title}</h2>
    <form method="post">
      <label for="email">${words.forgotten.email}</label>
      <input id="email" name="email" type="email" autocomplete="email" maxlength="254" required />
      <button>${words.forgotten.button}</button>
    </form>`
}
