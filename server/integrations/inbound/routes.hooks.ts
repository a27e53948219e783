import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { PUBLIC } from '../../http/access.ts'
import { clientNetwork } from '../../http/addresses.ts'
import type { App } from '../../http/app-type.ts'
import { AppError } from '../../http/errors.ts'
import type { Limits } from '../../http/rate-limits.ts'
import { HubChallenge } from '../channels/graph-api.ts'
import { channelOf, secretsOf } from '../integrations.ts'
import type { IntegrationRow } from '../store.ts'
import { openHook, parseCall, receiveEvents, verifyCall } from './receive.ts'
import { Received } from '../schema.ts'

/** Meta batches up to a thousand events into one call. */
const MAX_HOOK_BODY_BYTES = 3 * 1_024 * 1_024

const HookPath = z.object({ kind: z.string().max(32), integration_id: z.string().max(64) })
const config = { access: PUBLIC, pool: 'hooks' } as const
const tags = ['Integrations']

const prove = {
  config: { ...config, mayFail: ['unauthenticated', 'forbidden'] },
  schema: {
    summary: "Answer a provider's challenge (whatsapp, meta)",
    tags,
    params: HookPath,
    querystring: HubChallenge,
    produces: ['text/plain'],
  },
} as const

const receive = {
  config: {
    ...config,
    rawBody: 'An event in the form of the provider, whose signature covers the bytes',
    mayFail: ['unauthenticated', 'forbidden', 'validation_failed'],
  },
  schema: {
    summary: "Receive a provider's call: signed, stored before the response, each event once",
    tags,
    params: HookPath,
    response: { 200: Received },
  },
} as const

/** The calls of providers. Bodies stay raw bytes, because signatures cover the bytes. */
export function hookRoutes(app: App, ctx: Context, limits: Limits): void {
  /**
   * Runs `read`, and counts the call: a genuine one for its integration; one that can have no effect,
   * such as a replay, for the integration and the client address; any other for the client address, also
   * for an unknown integration. Throws 429, 403 for a suspended workspace, and the error of `read`.
   */
  async function admit<Result extends { integration: IntegrationRow; isIdle: boolean }>(
    request: FastifyRequest,
    reply: FastifyReply,
    read: () => Promise<Result>,
  ): Promise<Result> {
    let result: Result
    try {
      result = await read()
    } catch (error) {
      if (error instanceof AppError) {
        await limits.count('hooks-unverified', clientNetwork(request), reply)
      }
      throw error
    }
    const { integration, isIdle } = result
    const key = isIdle ? `${integration.id} ${clientNetwork(request)}` : integration.id
    await limits.count(isIdle ? 'hooks-idle' : 'hooks', key, reply)
    // Providers send again what is refused, for hours or days.
    await ctx.suspensions.assertActive(integration.workspace_id)
    return result
  }

  void app.register(async (hooks: App) => {
    hooks.removeAllContentTypeParsers()
    hooks.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: MAX_HOOK_BODY_BYTES },
      (_request, body, done) => done(null, body),
    )

    hooks.get('/api/v1/hooks/:kind/:integration_id', prove, async (request, reply) => {
      const { challenge } = await admit(request, reply, async () => {
        const integration = await openHook(ctx, request.params)
        const { answerChallenge } = channelOf(integration)
        if (!answerChallenge) {
          throw new AppError('method_not_allowed', 'Only POST is allowed here.')
        }
        const { secret } = secretsOf(ctx, integration)
        const answered = answerChallenge(request.query, secret)
        return { integration, isIdle: true, challenge: answered }
      })
      // As plain text, an echoed challenge cannot run as a page in a browser.
      return reply.type('text/plain; charset=utf-8').send(challenge)
    })

    hooks.post('/api/v1/hooks/:kind/:integration_id', receive, async (request, reply) => {
      const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0)
      const call = { headers: request.headers, body, now: ctx.now() }
      const { integration, events } = await admit(request, reply, async () => {
        const opened = await openHook(ctx, request.params)
        verifyCall(ctx, opened, call)
        return { integration: opened, ...(await parseCall(ctx, opened, call)) }
      })
      return { received: await receiveEvents(ctx, integration, events) }
    })
  })
}
