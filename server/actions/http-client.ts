import type { Agent } from 'undici'
import type { Context } from '../context.ts'
import { checkTarget, targetPolicy } from '../net/target.ts'
import type { ActionMethod } from './schema.ts'

const MAX_RESPONSE_BYTES = 64 * 1_024
/** Failures before the request was sent: the service cannot have acted on it. */
const NOT_SENT = new Set([
  'address_not_allowed',
  'ECONNREFUSED',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

export interface ActionRequest {
  method: ActionMethod
  url: string
  headers: Record<string, string>
  body: string | null
}

/** The outcome of one request. */
export interface ActionReply {
  /** Null without a response. */
  status: number | null
  error: string | null
  /** Whether the service may have got the request. */
  isSent: boolean
  latencyMs: number | null
  text: string
}

/** Calls owners' services over the connector of webhooks: public addresses only, no redirects. */
export class ActionClient {
  readonly #ctx: Pick<Context, 'config' | 'log'>
  #agent: Promise<Agent> | undefined
  #pendingCalls = 0

  constructor(ctx: Pick<Context, 'config' | 'log'>) {
    this.#ctx = ctx
  }

  /** Requests that have not been answered to their end. */
  get pendingCalls(): number {
    return this.#pendingCalls
  }

  async close(): Promise<void> {
    await (await this.#agent)?.destroy()
  }

  /** Sends one request. Never rejects: a failure is an outcome too. */
  async send(sent: ActionRequest): Promise<ActionReply> {
    this.#pendingCalls += 1
    try {
      return await this.#send(sent)
    } finally {
      this.#pendingCalls -= 1
    }
  }

  async #send(sent: ActionRequest): Promise<ActionReply> {
    const { config, log } = this.#ctx
    const target = checkTarget(sent.url, targetPolicy(config))
    if (!target.ok) return refusedTarget()
    const startedAt = performance.now()
    const elapsed = () => Math.round(performance.now() - startedAt)
    let status: number | null = null
    try {
      const { request } = await import('undici')
      this.#agent ??= this.#openAgent()
      const response = await request(target.url, {
        dispatcher: await this.#agent,
        method: sent.method,
        headers: sent.headers,
        ...(sent.body === null ? {} : { body: sent.body }),
        signal: AbortSignal.timeout(config.actionTimeoutMs),
      })
      status = response.statusCode
      const latencyMs = elapsed()
      const text = await readText(response.body)
      const error = text === undefined ? 'too_large' : null
      return { status, error, isSent: true, latencyMs, text: text ?? '' }
    } catch (error) {
      const code = codeOf(error)
      if (code === 'address_not_allowed') {
        log.warn({ event: 'actions.target_refused', err: error }, 'target of an action refused')
        return refusedTarget()
      }
      const isTimeout = code === 'timeout' || code.endsWith('_TIMEOUT') || code === 'ETIMEDOUT'
      const reason = isTimeout ? 'timeout' : 'connection_failed'
      return { status, error: reason, isSent: !NOT_SENT.has(code), latencyMs: elapsed(), text: '' }
    }
  }

  async #openAgent(): Promise<Agent> {
    const undici = await import('undici')
    const { guardedConnector } = await import('../net/ssrf-guard.ts')
    return new undici.Agent({
      connect: guardedConnector({ policy: targetPolicy(this.#ctx.config) }),
      pipelining: 1,
    })
  }
}

/** The same for a forbidden address and an unknown name, and without a time. */
function refusedTarget(): ActionReply {
  const error = 'address_not_allowed'
  return { status: null, error, isSent: false, latencyMs: null, text: '' }
}

/** Returns a response's text; `undefined` for a longer one. */
async function readText(
  body: AsyncIterable<Uint8Array> & { destroy(): unknown },
): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_RESPONSE_BYTES) {
      body.destroy()
      return undefined
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if (error.name === 'TimeoutError') return 'timeout'
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}
