import { z } from 'zod'
import type { Context } from '../../context.ts'
import { PUBLIC } from '../../http/access.ts'
import type { App } from '../../http/app-type.ts'
import { AppError, invalidFields } from '../../http/errors.ts'
import { secretsOf } from '../integrations.ts'
import { openHook, receiveCall } from './receive.ts'
import { Received } from '../schema.ts'
import { isSame } from '../channels/signatures.ts'

/** Meta puts up to a thousand events into one call. */
const MAX_HOOK_BODY = 3 * 1_024 * 1_024

const HookPath = z.object({ kind: z.string().max(32), integration_id: z.string().max(64) })
/** How Meta asks whether the address is ours. */
const Challenge = z.looseObject({
  'hub.mode': z.string().optional(),
  'hub.verify_token': z.string().optional(),
  'hub.challenge': z.string().max(1_000).optional(),
})

const config = { access: PUBLIC, pool: 'hooks' } as const
const tags = ['Integrations']

const prove = {
  config: { ...config, mayFail: ['unauthenticated'] },
  schema: {
    summary: "Answer a provider's challenge (whatsapp, meta)",
    tags,
    params: HookPath,
    querystring: Challenge,
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

/** What providers and other programs tell us. The bytes are kept as they came: they are signed. */
export function hookRoutes(app: App, ctx: Context): void {
  void app.register(async (hooks: App) => {
    hooks.removeAllContentTypeParsers()
    hooks.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: MAX_HOOK_BODY },
      (_request, body, done) => done(null, body),
    )

    hooks.get('/api/v1/hooks/:kind/:integration_id', prove, async (request, reply) => {
      const integration = await openHook(ctx, request.params)
      if (integration.kind !== 'whatsapp' && integration.kind !== 'meta') {
        throw new AppError('method_not_allowed', 'Only POST is understood here.')
      }
      const { secret } = secretsOf(ctx, integration)
      if (!isSame(request.query['hub.verify_token'], secret)) {
        throw new AppError('unauthenticated', 'The verify token is not that of the integration.')
      }
      const challenge = request.query['hub.challenge']
      if (request.query['hub.mode'] !== 'subscribe' || challenge === undefined) {
        throw invalidFields([{ path: '/hub.challenge', message: 'is missing' }])
      }
      // Plain text that a browser would not take for a page, whatever is asked to be echoed.
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
