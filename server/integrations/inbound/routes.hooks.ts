import { z } from 'zod'
import type { Context } from '../../context.ts'
import { PUBLIC } from '../../http/access.ts'
import type { App } from '../../http/app-type.ts'
import { AppError } from '../../http/errors.ts'
import { HubChallenge } from '../channels/graph-api.ts'
import { channelOf, secretsOf } from '../integrations.ts'
import { openHook, receiveCall } from './receive.ts'
import { Received } from '../schema.ts'

/** Meta batches up to a thousand events into one call. */
const MAX_HOOK_BODY_BYTES = 3 * 1_024 * 1_024

const HookPath = z.object({ kind: z.string().max(32), integration_id: z.string().max(64) })
const config = { access: PUBLIC, pool: 'hooks' } as const
const tags = ['Integrations']

const prove = {
  config: { ...config, mayFail: ['unauthenticated'] },
  schema: {
    summary: "Answer a provider's challenge (whatsapp, meta)",
    tags,
    params: HookPath,
    querystring: HubChallenge,
    produces: ['text/plain'],
  },
} as const

const receive = {
  config: { ...config, mayFail: ['unauthenticated', 'validation_failed', 'payload_too_large'] },
  schema: {
    summary: 'Where providers call: signed, stored before it is answered, each event once',
    tags,
    params: HookPath,
    response: { 200: Received },
  },
} as const

/** The calls of providers. Bodies stay raw bytes, because signatures cover the bytes. */
export function hookRoutes(app: App, ctx: Context): void {
  void app.register(async (hooks: App) => {
    hooks.removeAllContentTypeParsers()
    hooks.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: MAX_HOOK_BODY_BYTES },
      (_request, body, done) => done(null, body),
    )

    hooks.get('/api/v1/hooks/:kind/:integration_id', prove, async (request, reply) => {
      const integration = await openHook(ctx, request.params)
      const { answerChallenge } = channelOf(integration)
      if (!answerChallenge) {
        throw new AppError('method_not_allowed', 'Only POST is allowed here.')
      }
      const challenge = answerChallenge(request.query, secretsOf(ctx, integration).secret)
      // As plain text, an echoed challenge cannot run as a page in a browser.
      return reply.type('text/plain; charset=utf-8').send(challenge)
    })

    hooks.post('/api/v1/hooks/:kind/:integration_id', receive, async (request) => {
      const integration = await openHook(ctx, request.params)
      const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0)
      const { headers } = request
      return { received: await receiveCall(ctx, integration, { headers, body }) }
    })
  })
}
