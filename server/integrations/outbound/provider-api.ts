import { z } from 'zod'
import type { Agent } from 'undici'
import type { Context } from '../../context.ts'
import { checkTarget, targetPolicy } from '../../net/target.ts'
import type { ApiCall } from '../channels/api-call.ts'
import { PermanentError, RetryableError } from '../errors.ts'
import { HOUR_MS } from '../../lib/durations.ts'

/** From the DNS lookup to the last byte. */
const RESPONSE_TIMEOUT_MS = 15_000
const MAX_RESPONSE_BYTES = 256 * 1_024
/** Upper bound of a provider's `Retry-After`; a longer one may be a mistake. */
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS

/** The errors of the Graph API and of Telegram. */
const ErrorBody = z.looseObject({
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
/** The Graph API's rate-limit codes, which come with status 400. */
const RATE_CODES = new Set([4, 17, 32, 341, 368, 613, 80_007, 130_429, 131_048, 131_056])
/** The Graph API's codes of transient errors. */
const TRANSIENT_CODES = new Set([1, 2, 131_000, 131_016])

/** Errors before the request was sent, so that the provider cannot have acted on it. */
const NOT_SENT = new Set([
  'address_not_allowed',
  'ECONNREFUSED',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Calls the APIs of messaging apps and social networks, behind the SSRF guard of webhooks. */
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
   * Makes a call and parses the response. Throws `RetryableError` where the provider is rate-limiting or
   * unreachable, and `PermanentError` where it refuses for good.
   */
  async call<Output>(
    { url, ...sent }: ApiCall,
    answer: z.ZodType<Output>,
    signal: AbortSignal,
  ): Promise<Output> {
    const target = checkTarget(url, targetPolicy(this.#ctx.config))
    if (!target.ok)
      throw new PermanentError(`The API's address is not allowed (${target.refusal}).`)
    const { status, retryAfter, text } = await this.#send(target.url, sent, signal)
    const json = parseJson(text)
    if (status >= 200 && status < 300) {
      const read = answer.safeParse(json)
      if (!read.success)
        throw new PermanentError(`The API's response is not as expected (status ${status}).`)
      return read.data
    }
    throw toError(status, retryAfter, json)
  }

  async #send(
    url: URL,
    { headers, body }: Pick<ApiCall, 'headers' | 'body'>,
    signal: AbortSignal,
  ): Promise<{ status: number; retryAfter: string | undefined; text: string }> {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)])
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
        if (size > MAX_RESPONSE_BYTES)
          throw new RetryableError('The response of the API is too large.', {
            mayHaveSucceeded: true,
          })
        chunks.push(bytes)
      }
      const text = Buffer.concat(chunks).toString('utf8')
      return { status: given.statusCode, retryAfter, text }
    } catch (error) {
      if (error instanceof RetryableError) throw error
      // The guard's own message is for the operator of the installation alone.
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'timeout'
      const mayHaveSucceeded = !NOT_SENT.has(code)
      throw new RetryableError(`The API could not be reached (${code}).`, {
        mayHaveSucceeded,
        cause: error,
      })
    }
  }

  async #openAgent(): Promise<Agent> {
    const undici = await import('undici')
    const { guardedConnector } = await import('../../net/ssrf-guard.ts')
    return new undici.Agent({
      connect: guardedConnector({ policy: targetPolicy(this.#ctx.config) }),
      pipelining: 1,
    })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toError(status: number, retryAfter: string | undefined, json: unknown): Error {
  const parsed = ErrorBody.safeParse(json).data
  const code = parsed?.error?.code
  const reason = parsed?.error?.message ?? parsed?.description ?? ''
  const sentence = `The API refused (status ${status}${code === undefined ? '' : `, code ${code}`}): ${reason}`
  const isBusy = status === 429 || (code !== undefined && RATE_CODES.has(code))
  const isTransient =
    status >= 500 ||
    status === 408 ||
    parsed?.error?.is_transient === true ||
    (code !== undefined && TRANSIENT_CODES.has(code))
  if (!isBusy && !isTransient) return new PermanentError(sentence)
  const seconds = parsed?.parameters?.retry_after ?? Number(retryAfter)
  const retryAfterMs =
    Number.isFinite(seconds) && seconds > 0
      ? Math.min(seconds * 1_000, MAX_RETRY_AFTER_MS)
      : undefined
  return new RetryableError(sentence, { retryAfterMs })
}
