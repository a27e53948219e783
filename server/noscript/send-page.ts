import type { FastifyReply } from 'fastify'
import type { NoscriptPage } from './page.ts'

/** Sends a page: never cached, never indexed, and without its address to other sites. */
export function sendPage(
  reply: FastifyReply,
  { html, policy }: NoscriptPage,
  status: number,
): FastifyReply {
  return (
    reply
      .code(status)
      // The policy says who may frame the page; this header can name no other origin.
      .removeHeader('x-frame-options')
      .type('text/html; charset=utf-8')
      .headers({
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
        'x-robots-tag': 'noindex',
        'content-security-policy': policy,
      })
      .send(html)
  )
}

/** Returns the first language of a locale or of `Accept-Language`; English for neither. */
export function languageOf(wanted: string): string {
  return /^[a-z]{2}/.exec(wanted)?.[0] ?? 'en'
}
