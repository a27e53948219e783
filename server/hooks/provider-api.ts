import { z } from 'zod'
import type { Agent } from 'undici'
import type { Context } from '../context.ts'
import { judgeTarget, targetPolicy } from '../delivery/target.ts'
import { PermanentError, RetryableError } from './errors.ts'

/** From the name's look-up to the last byte. */
const LONGEST_ANSWER_MS = 15_000
const MOST_ANSWER_BYTES = 256 * 1_024
/** A provider that asks for more is asked again before: it may have been a mistake. */
const LONGEST_WAIT_MS = 24 * 3_600_000

/** One call of a provider's API. The address may hold a token: it is never logged or shown. */
export interface ApiCall {
  url: string
  headers: Record<string, string>
  /** Sent as JSON; a call without is a GET. */
  body?: Record<string, unknown>
}

/** What the Graph API and Telegram say when they refuse. */
const Refused = z.looseObject({
  error: z
    .looseObject({
      code: z.int().optional(),
      message: z.string().optional(),
      is_transient: z.boolean().optional(),
    })
    .optional(),
  description: z.string().optional(),
  parameters: z.looseObject({ retry_after: z.number().optional() }).optional(),
})
/** The Graph API's codes for "too much at once", which come with status 400. */
const RATE_CODES = new Set([4, 17, 32, 341, 368, 613, 80_007, 130_429, 131_048, 131_056])
/** Its codes for "try again". */
const TRANSIENT_CODES = new Set([1, 2, 131_000, 131_016])

/** Without a connection nothing was asked. */
const NEVER_ASKED = new Set([
  'address_not_allowed',
  'ECONNREFUSED',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Calls the APIs of messaging apps and social networks, guarded like webhooks. */
export class ProviderApi {
  readonly #ctx: Context
  #agent: Promise<Agent> | undefined

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  async close(): Promise<void> {
    await (await this.#agent)?.destroy()
  }

  /**
   * Makes a call and reads its answer. Throws `RetryableError` where the provider is busy or gone, and
   * `PermanentError` where it refuses for good.
   */
  async call<Output>(
    { url, ...sent }: ApiCall,
    answer: z.ZodType<Output>,
    signal: AbortSignal,
  ): Promise<Output> {
    const judged = judgeTarget(url, targetPolicy(this.#ctx.config))
    if (!judged.ok)
      throw new PermanentError(`The API's address is not allowed (${judged.refusal}).`)
    const { status, retryAfter, text } = await this.#exchange(judged.url, sent, signal)
    const json = parsed(text)
    if (status >= 200 && status < 300) {
      const read = answer.safeParse(json)
      if (!read.success)
        throw new PermanentError(`The API answered something else (status ${status}).`)
      return read.data
    }
    throw refusalOf(status, retryAfter, json)
  }

  async #exchange(
    url: URL,
    { headers, body }: Pick<ApiCall, 'headers' | 'body'>,
    signal: AbortSignal,
  ): Promise<{ status: number; retryAfter: string | undefined; text: string }> {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_ANSWER_MS)])
    try {
      const { request } = await import('undici')
      this.#agent ??= this.#openAgent()
      const given = await request(url, {
        dispatcher: await this.#agent,
        method: body ? 'POST' : 'GET',
        headers: {
          ...headers,
          accept: 'application/json',
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: deadline,
      })
      const retryAfter = [given.headers['retry-after']].flat()[0]
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of given.body) {
        const bytes = Buffer.from(chunk)
        size += bytes.length
        if (size > MOST_ANSWER_BYTES)
          throw new RetryableError('The API answered without an end.', { mayHaveSucceeded: true })
        chunks.push(bytes)
      }
      const text = Buffer.concat(chunks).toString('utf8')
      return { status: given.statusCode, retryAfter, text }
    } catch (error) {
      if (error instanceof RetryableError) throw error
      // The message of the connector's refusal is for the operator of the installation alone.
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'timeout'
      const mayHaveSucceeded = !NEVER_ASKED.has(code)
      throw new RetryableError(`The API could not be reached (${code}).`, {
        mayHaveSucceeded,
        cause: error,
      })
    }
  }

  async #openAgent(): Promise<Agent> {
    const undici = await import('undici')
    const { guardedConnector } = await import('../delivery/connector.ts')
    return new undici.Agent({
      connect: guardedConnector({ policy: targetPolicy(this.#ctx.config) }),
      pipelining: 1,
    })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refusalOf(status: number, retryAfter: string | undefined, json: unknown): Error {
  const said = Refused.safeParse(json).data
  const code = said?.error?.code
  const reason = said?.error?.message ?? said?.description ?? ''
  const sentence = `The API refused (status ${status}${code === undefined ? '' : `, code ${code}`}): ${reason}`
  const isBusy = status === 429 || (code !== undefined && RATE_CODES.has(code))
  const isTransient =
    status >= 500 ||
    status === 408 ||
    said?.error?.is_transient === true ||
    (code !== undefined && TRANSIENT_CODES.has(code))
  if (!isBusy && !isTransient) return new PermanentError(sentence)
  const seconds = said?.parameters?.retry_after ?? Number(retryAfter)
  const retryAfterMs =
    Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1_000, LONGEST_WAIT_MS) : undefined
  return new RetryableError(sentence, { retryAfterMs })
}
