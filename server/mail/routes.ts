import type { Context } from '../context.ts'
import { PUBLIC } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { isDevelopment, isFromDeveloper } from '../http/dev-only.ts'
import { AppError } from '../http/errors.ts'
import { isoTime } from '../http/pagination.ts'
import { escaped } from '../lib/text/markup.ts'
import { decryptMailContent, mailStrings } from './mail.ts'
import { type MailRow, listWaitingMails } from './store.ts'

const MAX_SHOWN = 100

const page = { config: { access: PUBLIC, pool: null }, schema: { hide: true } } as const

/**
 * Registers the page that shows queued mails to a developer without a mail server. Mails hold secrets
 * of every workspace: the page needs `DEV_PAGES` and its random path, and a request from loopback.
 */
export function devMailRoutes(app: App, ctx: Context): void {
  const { devPath, smtpUrl } = ctx.config
  if (devPath === undefined || smtpUrl || !isDevelopment(ctx.config)) return
  app.get(`${devPath}/mail`, page, async (request, reply) => {
    if (!isFromDeveloper(request)) {
      throw new AppError('not_found', 'This address does not exist.')
    }
    const rows = await listWaitingMails(ctx.db, MAX_SHOWN)
    const language = request.headers['accept-language'] ?? 'en'
    return reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(renderMailPage(ctx, rows, language))
  })
}

function renderMailPage(ctx: Context, rows: readonly MailRow[], language: string): string {
  const words = mailStrings(language).devPage
  const mails = rows.map((row) => {
    const { subject, text, attachments, calendar } = decryptMailContent(ctx.secrets, row)
    const files = calendar ? [...attachments, calendar] : attachments
    const names = files.map(({ filename }) => filename).join(', ')
    const lines = [
      [words.to, row.recipient],
      [words.subject, subject],
      [words.at, isoTime(row.created_at)],
      ...(names ? [[words.attachments, names]] : []),
    ]
    const head = lines.map(
      ([name = '', value = '']) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`,
    )
    return `<article>\n<dl>${head.join('')}</dl>\n<pre>${withLinks(ctx, escaped(text))}</pre>\n</article>`
  })
  const isTurkish = /^tr\b/i.test(language)
  return `<!doctype html>
<html lang="${isTurkish ? 'tr' : 'en'}">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>pre { white-space: pre-wrap } pre, dd { overflow-wrap: anywhere }</style>
<title>${words.title}</title>
<h1>${words.title}</h1>
<p>${words.explanation}</p>
${mails.length > 0 ? mails.join('\n<hr>\n') : `<p>${words.none}</p>`}
</html>
`
}

/** Links URLs of this installation alone. */
function withLinks({ config }: Context, text: string): string {
  const own = `${config.publicUrl ?? ''}/`
  return text.replaceAll(/https?:\/\/[^\s<>"]+/g, (address) =>
    address.startsWith(own) ? `<a href="${address}">${address}</a>` : address,
  )
}
