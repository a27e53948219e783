import { isoTime } from '../http/pagination.ts'
import { html, type Markup } from '../lib/text/markup.ts'
import { type WebhookInspectorStrings, en } from '../locales/webhook-inspector.en.ts'
import { tr } from '../locales/webhook-inspector.tr.ts'
import type { CapturedRequest } from './captured-requests.ts'
import { SIGNATURES, type SignatureCheck } from './signature-checks.ts'

const WORDS = { tr, en }
const FOLLOW_SECONDS = 3

export interface InspectorPage {
  language: 'tr' | 'en'
  /** The path of this page. */
  path: string
  /** The base URL of the receiver. */
  address: string
  isReachable: boolean
  /** Whether the page reloads every few seconds. */
  follows: boolean
  requests: readonly CapturedRequest[]
}

/** Returns the summary of all signature checks of a request. */
export function summaryOf(
  checks: readonly SignatureCheck[],
): SignatureCheck['result'] | 'unsigned' {
  const worst = (['wrong', 'stale', 'good'] as const).find((result) =>
    checks.some((verdict) => verdict.result === result),
  )
  return worst ?? 'unsigned'
}

/** Renders the page as HTML, without a script and with a separate style sheet. */
export function renderPage(page: InspectorPage): string {
  const words = WORDS[page.language]
  const { requests, follows } = page
  const refresh = follows ? html`<meta http-equiv="refresh" content="${FOLLOW_SECONDS}" />` : html``
  const reachable = page.isReachable
    ? html`<p>${words.isReachable}</p>`
    : html`<p class="warning" role="status">${words.isNotReachable}</p>`
  const list =
    requests.length === 0
      ? html`<p>${words.none}</p>`
      : html`${requests.map((request) => renderCapturedRequest(request, words))}`
  return html`<!doctype html>
    <html lang="${page.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${refresh}
        <title>${words.title}</title>
        <link rel="stylesheet" href="${page.path}.css" />
      </head>
      <body>
        <header>
          <h1>${words.title}</h1>
          <p>${words.explanation}</p>
          <p><code>${page.address}/crm</code></p>
          <p>${words.addresses}</p>
          ${reachable}
          <p>${words.memory}</p>
        </header>
        <main>
          <form method="post" action="${page.path}">
            <strong>${words.received(requests.length)}</strong>
            <a href="${page.path}">${follows ? words.unfollow : words.refresh}</a>
            ${follows ? html`` : html`<a href="${page.path}?follow">${words.follow}</a>`}
            <button>${words.clear}</button>
          </form>
          ${list}
        </main>
      </body>
    </html> `.text
}

function renderCapturedRequest(request: CapturedRequest, words: WebhookInspectorStrings): Markup {
  const summary = summaryOf(request.checks)
  const headers = request.headers.map(
    ([name, value]) =>
      html`<tr>
        <th scope="row">${name}</th>
        <td>${value}</td>
      </tr>`,
  )
  return html`<article>
    <h2>
      <span class="verdict ${summary}">${words.summary[summary]}</span>
      <code>POST ${request.path}</code>
    </h2>
    <p>
      <time datetime="${isoTime(request.at)}">${isoTime(request.at)}</time>
      · ${words.answered(request.status)}
      ${request.attempt > 0 ? html`· ${words.attempt(request.attempt)}` : html``}
    </p>
    <h3>${words.signatures}</h3>
    ${renderSignatureChecks(request.checks, words)}
    <h3>${words.body}</h3>
    ${renderBody(request.body, words)}
    <details>
      <summary>${words.headers}</summary>
      <div class="wide">
        <table>
          ${headers}
        </table>
      </div>
    </details>
  </article>`
}

function renderSignatureChecks(
  checks: readonly SignatureCheck[],
  words: WebhookInspectorStrings,
): Markup {
  if (checks.length === 0) return html`<p>${words.isMissing}</p>`
  const sentences = { good: words.fits, stale: words.isStale, wrong: words.isWrong }
  const rows = SIGNATURES.flatMap((name) => checks.filter((verdict) => verdict.name === name)).map(
    ({ name, result, endpointId }) =>
      html`<li class="${result}">
        <code>${name === 'signature' ? words.bodySignature : name}</code>
        ${sentences[result]} <code>${endpointId ?? ''}</code>
      </li>`,
  )
  return html`<ul>
    ${rows}
  </ul>`
}

function renderBody(body: string, words: WebhookInspectorStrings): Markup {
  if (body === '') return html`<p>${words.emptyBody}</p>`
  const readable = readJson(body)
  if (readable === undefined) return html`<pre tabindex="0">${body}</pre>`
  return html`<pre tabindex="0">${readable}</pre>
    <details>
      <summary>${words.rawBody}</summary>
      <pre tabindex="0">${body}</pre>
    </details>`
}

function readJson(body: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return undefined
  }
}
