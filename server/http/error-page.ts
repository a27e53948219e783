import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Markup, html } from '../lib/text/markup.ts'
import { en } from '../locales/pages/error-page.en.ts'
import { tr } from '../locales/pages/error-page.tr.ts'

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 28rem; margin: 0 auto; padding: 20vh 1rem 2rem }
p:first-child { margin: 0; font-size: 3rem; font-weight: 700; line-height: 1; color: #0f766e }
h1 { font-size: 1.4rem; margin: .5rem 0 }
small { display: block; margin-top: 2rem; overflow-wrap: anywhere }
@media (prefers-color-scheme: dark) { p:first-child { color: #2dd4bf } }
`
// Not a template literal with `html`: the formatter would change the spaces, and so the digest.
const STYLE_TAG = new Markup(`<style>${STYLE}</style>`)
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')
/** Addresses of programs, which get problem documents whatever they accept. */
const PROGRAMS = /^\/(?:api|health|metrics)(?:[/?]|$)/
const MISSING: ReadonlySet<number> = new Set([404, 410])

/** Whether a person's browser asked for a page, and not a program for data. */
export function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  if (!/^(GET|HEAD)$/.test(method) || PROGRAMS.test(url)) return false
  return /(?:^|,)\s*text\/html\b/i.test(headers.accept ?? '')
}

/** Sends the page of a refusal with the reply's status, in Turkish or English by `Accept-Language`. */
export function sendErrorPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isTurkish = /^\s*tr\b/i.test(request.headers['accept-language'] ?? '')
  const { missing, failed, reference } = isTurkish ? tr : en
  const { title, lead } = MISSING.has(reply.statusCode) ? missing : failed
  const { text } = html`<!doctype html>
    <html lang="${isTurkish ? 'tr' : 'en'}">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <title>${title}</title>
      ${STYLE_TAG}
      <main>
        <p>${reply.statusCode}</p>
        <h1>${title}</h1>
        <p>${lead}</p>
        <small>${reference}: ${request.id}</small>
      </main>
    </html> `
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
      vary: 'Accept, Accept-Language',
    })
    .serializer(String)
    .send(text)
}
