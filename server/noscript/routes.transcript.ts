import { z } from 'zod'
import { serializeMessage } from '../chat/session/messages.ts'
import { listTranscript, verifyTranscriptLink } from '../chat/session/transcript.ts'
import { findTenant, isEnabled } from '../tenants/tenants.ts'
import type { Context } from '../context.ts'
import { PUBLIC } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { notFoundPage, transcriptPage } from './page.ts'
import { languageOf, sendPage } from './send-page.ts'

const LinkPath = z.object({
  session_id: z.string().max(64),
  expires_at: z.string().regex(/^\d{1,15}$/),
  signature: z.string().max(100),
})
const show = {
  config: { access: PUBLIC, pool: 'open' },
  schema: { hide: true, params: LinkPath },
} as const

/** Registers the page of a conversation, by the signed link in the mail of a transcript. */
export function transcriptRoutes(app: App, ctx: Context): void {
  const path = '/transcripts/:session_id/:expires_at/:signature'
  app.get(path, show, async (request, reply) => {
    const { session_id: id, expires_at, signature } = request.params
    const link = { id, expiresAt: Number(expires_at), signature }
    const session = await verifyTranscriptLink(ctx, link)
    const tenant = session && (await findTenant(ctx.db, session.tenant_id))
    if (!tenant || !isEnabled(tenant, session.channel === 'api' ? 'widget' : session.channel)) {
      const language = languageOf(request.headers['accept-language'] ?? '')
      return sendPage(reply, notFoundPage(language, 'transcriptGone'), 404)
    }
    const messages = (await listTranscript(ctx, session)).map(serializeMessage)
    return sendPage(reply, transcriptPage({ tenant, locale: session.locale, messages }), 200)
  })
}
