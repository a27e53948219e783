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
import { assignWorkspace } from '../../storage/workspace-scope.ts'
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
   * Proves a call by `open`, runs `read`, and counts the call: a genuine one for its integration; one that
   * can have no effect, such as a replay or a body that cannot be read, for the integration and the client
   * address; any other for the client address, also for an unknown integration. Throws 429, 403 for a
   * suspended workspace, and the errors of `open` and `read`.
   */
  async function admit<Opened extends { integration: IntegrationRow }, Result>(
    request: FastifyRequest,
    reply: FastifyReply,
    {
      open,
      read,
    }: {
      open: () => Promise<Opened>
      read: (opened: Opened) => Promise<Result & { isIdle: boolean }>
    },
  ): Promise<Opened & Result> {
    const network = clientNetwork(request)
    const opened = await open().catch(async (error: unknown) => {
      if (error instanceof AppError) await limits.count('hooks-unverified', network, reply)
      throw error
    })
    const { id, workspace_id: workspaceId } = opened.integration
    assignWorkspace(workspaceId)
    const result = await read(opened).catch(async (error: unknown) => {
      if (error instanceof AppError) await limits.count('hooks-idle', `${id} ${network}`, reply)
      throw error
    })
    const { isIdle } = result
    await limits.count(isIdle ? 'hooks-idle' : 'hooks', isIdle ? `${id} ${network}` : id, reply)
    // Providers send again what is refused, for hours or days.
    await ctx.suspensions.assertActive(workspaceId)
    return { ...opened, ...result }
  }

  void app.register(async (hooks: App) => {
    hooks.removeAllContentTypeParsers()
    hooks.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: MAX_HOOK_BODY_BYTES },
      (_request, body, done) => done(null, body),
    )

    hooks.get('/api/v1/hooks/:kind/:integration_id', prove, async (request, reply) => {
      const { challenge } = await admit(request, reply, {
        async open() {
          const integration = await openHook(ctx, request.params)
          const { answerChallenge } = channelOf(integration)
          if (!answerChallenge) {
            throw new AppError('method_not_allowed', 'Only POST is allowed here.')
          }
          const { secret } = secretsOf(ctx, integration)
          return { integration, challenge: answerChallenge(request.query, secret) }
        },
        read: async () => ({ isIdle: true }),
      })
      // As plain text, an echoed challenge cannot run as a page in a browser.
      return reply.type('text/plain; charset=utf-8').send(challenge)
    })

    hooks.post('/api/v1/hooks/:kind/:integration_id', receive, async (request, reply) => {
      const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0)
      const call = { headers: request.headers, body, now: ctx.now() }
      const { integration, events } = await admit(request, reply, {
        async open() {
          const opened = await openHook(ctx, request.params)
          verifyCall(ctx, opened, call)
          return { integration: opened }
        },
        read: (opened) => parseCall(ctx, opened.integration, call),
      })
      return { received: await receiveEvents(ctx, integration, events) }
    })
  })
}
