import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { readCredits } from '../../credits/ledger.ts'
import { members } from '../../http/access.ts'
import type { App } from '../../http/app-type.ts'
import { problemOf, toAppError } from '../../http/errors.ts'
import { sendEvents } from '../../http/sse.ts'
import { type UserCaller, requireMember } from '../../platform/auth/authenticator.ts'
import { findReplay, requestKeyOf } from '../../platform/idempotency.ts'
import { type RunServices, startRun } from './execute.ts'
import type { RunPiece } from './run.ts'
import { ExecutePrompt, RunAnswer, RunEvent } from '../schema.ts'
import { onResponseClosed } from '../../http/response-closed.ts'

const execute = {
  config: {
    access: members('prompts:execute'),
    pool: 'execute',
    isIdempotent: true,
    events: RunEvent,
    mayFail: [
      'not_found',
      'plan_insufficient',
      'model_required',
      'credits_exhausted',
      'credits_held',
      'model_failed',
      'model_timeout',
      'price_missing',
    ],
  },
  schema: {
    summary: 'Run a prompt; the answer is JSON or a stream',
    description:
      'With `stream: true` the answer is `text/event-stream`: `data: {"delta": "…"}` for each ' +
      'piece, then `data: {"done": true, "credits_used", "credits_remaining", "run_id", ' +
      '"finish_reason"}`. With `X-Request-Id` the same call twice is one run.',
    tags: ['Prompts'],
    body: ExecutePrompt,
    response: { 200: RunAnswer },
  },
} as const

/** Runs prompts. */
export function executeRoutes(app: App, ctx: Context, services: RunServices): void {
  app.post('/api/v1/prompts/execute', execute, async (request, reply) => {
    const input = request.body
    const caller = requireMember(request)
    const key = requestKeyOf(request, caller, 'prompts/execute', input)
    const replay = key && (await findReplay(ctx, key))
    if (replay !== undefined) {
      reply.header('idempotent-replayed', 'true')
      const pieces = replayed(RunAnswer.parse(JSON.parse(replay)))
      return sendPieces(ctx, reply, { caller, isStream: input.stream }, pieces)
    }
    const stop = new AbortController()
    if (!key) {
      onResponseClosed(reply.raw, () => {
        if (!reply.raw.writableFinished) stop.abort()
      })
    }
    const run = await startRun(ctx, services, caller, { input, key, requestId: request.id, stop })
    const pieces = key ? streamToEnd(run) : input.stream ? abortedBeforeStart(run, stop) : run
    return sendPieces(ctx, reply, { caller, isStream: input.stream }, pieces)
  })
}

async function sendPieces(
  ctx: Context,
  reply: FastifyReply,
  { caller, isStream }: { caller: UserCaller; isStream: boolean },
  pieces: AsyncIterable<RunPiece>,
): Promise<FastifyReply | RunAnswer> {
  if (isStream) {
    return sendEvents(reply, pieces, {
      events,
      failure: (error) => asFailure(ctx, error, { caller, requestId: reply.request.id }),
    })
  }
  for await (const piece of pieces) {
    if ('answer' in piece) return piece.answer
  }
  throw new Error('The run ended without a response.')
}

function events(piece: RunPiece): readonly object[] {
  if ('answer' in piece) return [lastEvent(piece.answer)]
  return piece.parts?.map((delta) => ({ delta })) ?? [piece]
}

function lastEvent(answer: RunAnswer): object {
  const { credits_used, credits_remaining, run_id, finish_reason, images } = answer
  return {
    done: true,
    credits_used,
    credits_remaining,
    run_id,
    finish_reason,
    ...(images ? { images } : {}),
  }
}

/** Builds the last event of a failed stream, which is not charged. */
async function asFailure(
  ctx: Context,
  error: unknown,
  { caller, requestId }: { caller: UserCaller; requestId: string },
): Promise<object> {
  const known = toAppError(error instanceof Error ? error : new Error(String(error)))
  const { code, detail } = problemOf(known, requestId)
  const { remaining } = await readCredits(ctx, caller.workspaceId)
  return { error: { code, detail }, done: true, credits_used: 0, credits_remaining: remaining }
}

async function* replayed(answer: RunAnswer): AsyncGenerator<RunPiece> {
  if (answer.content !== '') yield { delta: answer.content }
  yield { answer }
}

/**
 * Aborts a run when its reader's access is revoked, also while the model's next piece is awaited.
 */
function abortedBeforeStart(
  run: AsyncIterator<RunPiece>,
  stop: AbortController,
): AsyncIterableIterator<RunPiece> {
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: () => run.next(),
    async return() {
      stop.abort()
      await run.return?.()
      return { done: true, value: undefined }
    },
  }
}

/** Streams a run and, after a disconnect, drains it to its end, so that a retry gets the answer. */
async function* streamToEnd(run: AsyncIterator<RunPiece>): AsyncGenerator<RunPiece> {
  let isDone = false
  try {
    for (;;) {
      const next = await run.next().catch((error: unknown) => {
        isDone = true
        throw error
      })
      isDone = next.done === true
      if (next.done) return
      yield next.value
    }
  } finally {
    while (!isDone) isDone = (await run.next()).done === true
  }
}
