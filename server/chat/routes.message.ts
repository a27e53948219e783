import type { FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { readCredits } from '../credits/ledger.ts'
import { visitorsAndMembers } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { problemOf, toAppError } from '../http/errors.ts'
import { sendEvents } from '../http/sse.ts'
import { type Caller, requireCaller } from '../platform/auth/authenticator.ts'
import { findReplay, requestKeyOf } from '../platform/idempotency.ts'
import { type TurnPiece, beginTurn } from './turn/answer.ts'
import { redactCredits, redactRefusal } from './redaction.ts'
import { assertVisitorOrigin, visitorClient } from './routes.visitor.ts'
import { SendMessage, Turn, TurnEvent } from './schema.ts'
import { openTenant } from './session/sessions.ts'
import { onResponseClosed } from '../http/response-closed.ts'

const send = {
  config: {
    access: visitorsAndMembers('chat:message'),
    pool: 'message',
    isIdempotent: true,
    events: TurnEvent,
    mayFail: [
      'not_found',
      'conflict',
      'credits_exhausted',
      'credits_held',
      'model_failed',
      'model_timeout',
      'price_missing',
    ],
  },
  schema: {
    summary: 'Send a message; the answer is JSON or a stream',
    description:
      'With `stream: true` the answer is `text/event-stream`: `data: {"delta": "…"}` for each piece, ' +
      'then `data: {"done": true, …}` with the fields of the JSON answer. With `X-Request-Id` the ' +
      'same call twice is one message.',
    tags: ['Chat'],
    body: SendMessage,
    response: { 200: Turn },
  },
} as const

/** Registers the route that runs one turn of a session. */
export function messageRoutes(app: App, ctx: Context): void {
  app.post('/api/v1/chatbot/message', send, async (request, reply) => {
    const input = request.body
    const caller = requireCaller(request)
    const { stream = false, ...body } = input
    const key = requestKeyOf(request, caller, 'chatbot/message', { ...body, stream })
    const replay = key && (await findReplay(ctx, key))
    if (replay !== undefined) {
      reply.header('idempotent-replayed', 'true')
      return answerWith(ctx, reply, { caller, input }, replayTurn(Turn.parse(JSON.parse(replay))))
    }
    const tenant = await openTenant(ctx, caller, input.tenant_id)
    assertVisitorOrigin(request, reply, tenant)
    const stop = new AbortController()
    let isSettled = false
    if (!key) {
      // The connection closed, or its reader was shut out. A finished turn has nothing to abort.
      onResponseClosed(reply.raw, () => {
        if (!isSettled) stop.abort()
      })
    }
    const asked = { input, key, signal: stop.signal, client: visitorClient(request) }
    const turn = await beginTurn(ctx, caller, tenant, asked).catch((error: unknown) => {
      throw redactRefusal(error, caller)
    })
    const pieces = runToEnd(turn, () => {
      isSettled = true
    })
    return answerWith(ctx, reply, { caller, input }, pieces)
  })
}

async function answerWith(
  ctx: Context,
  reply: FastifyReply,
  { caller, input }: { caller: Caller; input: SendMessage },
  pieces: AsyncGenerator<TurnPiece>,
): Promise<FastifyReply | Turn> {
  if (input.stream) {
    return sendEvents(reply, pieces, {
      events: (piece) => [
        'turn' in piece ? { done: true, ...redactCredits(piece.turn, caller) } : piece,
      ],
      failure: (error) => toFailureEvent(ctx, error, { caller, requestId: reply.request.id }),
    })
  }
  for await (const piece of pieces) {
    if ('turn' in piece) return redactCredits(piece.turn, caller)
  }
  throw new Error('The turn ended without an answer.')
}

/** Returns the last event of a failed stream. A failed turn costs nothing. */
async function toFailureEvent(
  ctx: Context,
  error: unknown,
  { caller, requestId }: { caller: Caller; requestId: string },
): Promise<object> {
  const known = toAppError(error instanceof Error ? error : new Error(String(error)))
  const { code, detail } = problemOf(known, requestId)
  const event = { error: { code, detail }, done: true }
  if (caller.kind === 'visitor') return event
  const { remaining } = await readCredits(ctx, caller.workspaceId)
  return { ...event, credits_used: 0, credits_remaining: remaining }
}

async function* replayTurn(turn: Turn): AsyncGenerator<TurnPiece> {
  if (turn.reply) yield { delta: turn.reply.content }
  yield { turn }
}

/**
 * Passes a turn on and runs it to its end after the client has disconnected. A turn with an
 * idempotency key continues, for the retry; a turn without one was aborted, and its output is
 * settled. Calls `onSettled` before it passes the finished turn on.
 */
async function* runToEnd(
  turn: AsyncGenerator<TurnPiece>,
  onSettled: () => void,
): AsyncGenerator<TurnPiece> {
  let isOver = false
  try {
    for (;;) {
      const next = await turn.next().catch((error: unknown) => {
        isOver = true
        throw error
      })
      if (next.done) {
        isOver = true
        return
      }
      if ('turn' in next.value) onSettled()
      yield next.value
    }
  } finally {
    if (!isOver) await drain(turn)
  }
}

async function drain(turn: AsyncGenerator<TurnPiece>): Promise<void> {
  for (;;) {
    const { done } = await turn.next()
    if (done) return
  }
}
