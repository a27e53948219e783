import type { Context } from '../context.ts'

const CHANNEL = 'mcp.cancelled'

/** A call as its client names it. Ids are counters, so only a session identifies the client. */
export interface CallRef {
  subject: string
  sessionId: string
  requestId: unknown
}

/**
 * The calls that run in this process. A cancellation arrives as a request of its own, perhaps at
 * another process.
 */
export class RunningCalls {
  readonly #ctx: Context
  readonly #stops = new Map<string, () => void>()

  constructor(ctx: Context) {
    this.#ctx = ctx
    ctx.pubsub.subscribe(CHANNEL, (name) => this.#stops.get(name)?.())
  }

  /** Adds a call; the returned function removes the call. */
  add(call: CallRef, stop: () => void): () => void {
    const name = nameOf(call)
    this.#stops.set(name, stop)
    return () => {
      if (this.#stops.get(name) === stop) this.#stops.delete(name)
    }
  }

  /** Stops a call, in whichever process it runs. A call that has ended stays as it is. */
  cancel(call: CallRef): void {
    this.#ctx.pubsub.publish(CHANNEL, nameOf(call))
  }
}

function nameOf({ subject, sessionId, requestId }: CallRef): string {
  return JSON.stringify([subject, sessionId, requestId])
}
