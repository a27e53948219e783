import { pipeline } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Agent, Dispatcher, request } from 'undici'
import { checkTarget, BLOCK_MESSAGES, type TargetPolicy } from '../../net/target.ts'
import { errorSentence, FetchError } from './fetch-error.ts'

/** Name of the crawler in its user agent and in robots.txt. */
export const ROBOT = 'SohbetBot'

/** Timeout of one request of a redirect chain, from the DNS lookup to the last byte. */
const RESPONSE_TIMEOUT_MS = 20_000
const MAX_REDIRECTS = 5
const MAX_HEADER_BYTES = 32_768
const CONNECTIONS_PER_HOST = 2
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** A complete response. */
export interface FetchResult {
  /** The URL after redirects. */
  url: URL
  /** 304 when the page has not changed. */
  status: 200 | 304
  bytes: Buffer
  charset: string | undefined
  etag: string | null
  lastModified: string | null
  /** Values of the `X-Robots-Tag` headers, in lower case. */
  robots: string
}

export interface FetchOptions {
  /** Returns the size limit in bytes, given the first chunk. */
  maxBytes: (start: Buffer) => number
  signal: AbortSignal
  etag?: string | null
  lastModified?: string | null
  /** Called with each URL of the redirect chain before its request; throws to refuse the URL. */
  checkUrl?: (url: URL) => Promise<void>
}

/** A semaphore per host. */
class HostLimiter {
  readonly #max: number
  readonly #hosts = new Map<string, { count: number; waiting: (() => void)[] }>()

  constructor(max: number) {
    this.#max = max
  }

  async run<Result>(host: string, work: () => Promise<Result>): Promise<Result> {
    const slots = this.#hosts.get(host) ?? { count: 0, waiting: [] }
    this.#hosts.set(host, slots)
    if (slots.count >= this.#max) await new Promise<void>((enter) => slots.waiting.push(enter))
    else slots.count += 1
    try {
      return await work()
    } finally {
      const next = slots.waiting.shift()
      if (next) next()
      else slots.count -= 1
      if (slots.count === 0) this.#hosts.delete(host)
    }
  }
}

/** HTTP client for URLs that customers name: guarded against SSRF, bounded in time, size and redirects. */
export class Fetcher {
  readonly #policy: TargetPolicy
  /** Created with the first request: most processes fetch nothing. */
  #client: Promise<{ agent: Agent; send: typeof request }> | undefined
  readonly #userAgent: string
  readonly #timeoutMs: number
  readonly #limiter = new HostLimiter(CONNECTIONS_PER_HOST)
  readonly #onBlocked: (url: string, detail: string) => void

  constructor(options: {
    policy: TargetPolicy
    version: string
    /** Receives the reason of a block, which customers must not see. */
    onBlocked: (url: string, detail: string) => void
    timeoutMs?: number
  }) {
    this.#policy = options.policy
    this.#userAgent = `${ROBOT}/${options.version}`
    this.#onBlocked = options.onBlocked
    this.#timeoutMs = options.timeoutMs ?? RESPONSE_TIMEOUT_MS
  }

  async close(): Promise<void> {
    const client = await this.#client
    await client?.agent.destroy()
  }

  async #openClient(): Promise<{ agent: Agent; send: typeof request }> {
    const { Agent: Client, request: send } = await import('undici')
    const { guardedConnector } = await import('../../net/ssrf-guard.ts')
    const agent = new Client({
      connect: guardedConnector({ policy: this.#policy }),
      connections: CONNECTIONS_PER_HOST,
      pipelining: 1,
      maxHeaderSize: MAX_HEADER_BYTES,
    })
    return { agent, send }
  }

  /** Fetches a page. Throws FetchError, and the reason of the signal when it is aborted. */
  async get(address: string, options: FetchOptions): Promise<FetchResult> {
    const seen = new Set<string>()
    let url = resolveTarget(address, this.#policy)
    try {
      for (let hops = 0; ; hops += 1) {
        if (hops > MAX_REDIRECTS || seen.has(url.href)) {
          throw new FetchError(
            'transient',
            'The address leads in a circle, or through too many others.',
          )
        }
        seen.add(url.href)
        await options.checkUrl?.(url)
        const found = await this.#limiter.run(url.host, () => this.#requestInTime(url, options))
        if (!(found instanceof URL)) return found
        url = found
      }
    } catch (error) {
      options.signal.throwIfAborted()
      if (error instanceof FetchError) throw error
      if (error instanceof Error && 'code' in error && error.code === 'address_not_allowed') {
        this.#onBlocked(url.href, error.message)
      }
      throw new FetchError('transient', errorSentence(error), { cause: error })
    }
  }

  async #requestInTime(url: URL, options: FetchOptions): Promise<FetchResult | URL> {
    options.signal.throwIfAborted()
    const deadline = AbortSignal.timeout(this.#timeoutMs)
    try {
      return await this.#request(url, options, AbortSignal.any([options.signal, deadline]))
    } catch (error) {
      if (!deadline.aborted) throw error
      throw new FetchError('transient', 'The site took too long to answer.', { cause: error })
    }
  }

  /** Sends one request; returns the response, or the URL that it redirects to. */
  async #request(url: URL, options: FetchOptions, signal: AbortSignal): Promise<FetchResult | URL> {
    this.#client ??= this.#openClient()
    const { agent, send } = await this.#client
    const response = await send(url, {
      dispatcher: agent,
      signal,
      headers: {
        'user-agent': this.#userAgent,
        accept: 'text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.5',
        'accept-encoding': 'gzip, deflate, br',
        ...(options.etag ? { 'if-none-match': options.etag } : {}),
        ...(options.lastModified ? { 'if-modified-since': options.lastModified } : {}),
      },
    })
    const { statusCode, headers, body } = response
    const location = firstHeader(headers.location)
    if (statusCode !== 200) discardBody(body)
    if (REDIRECTS.has(statusCode) && location !== undefined) {
      const next = URL.parse(location, url)
      if (!next) throw new FetchError('transient', 'The address leads to one that nobody can read.')
      next.hash = ''
      return resolveTarget(next.href, this.#policy)
    }
    if (statusCode !== 200 && statusCode !== 304) throw statusProblem(statusCode)
    return {
      url,
      status: statusCode,
      bytes:
        statusCode === 200 ? await readBody(response, options.maxBytes, signal) : Buffer.alloc(0),
      charset: /charset\s*=\s*"?([\w:.-]{2,40})/i.exec(
        firstHeader(headers['content-type']) ?? '',
      )?.[1],
      etag: storedHeader(headers.etag),
      lastModified: storedHeader(headers['last-modified']),
      robots: [headers['x-robots-tag'] ?? []]
        .flat()
        .filter(appliesToCrawler)
        .join(', ')
        .toLowerCase(),
    }
  }
}

/** Returns the URL to request: checked, and `https:` where the policy refuses `http:`. Throws FetchError. */
function resolveTarget(address: string, policy: TargetPolicy): URL {
  const checked = checkTarget(address, policy)
  if (checked.ok) return checked.url
  if (checked.refusal === 'scheme' && /^http:/i.test(address)) {
    const secure = checkTarget(address.replace(/^http:/i, 'https:'), policy)
    if (secure.ok) return secure.url
  }
  throw new FetchError('permanent', BLOCK_MESSAGES[checked.refusal])
}

function statusProblem(status: number): FetchError {
  if (status === 404 || status === 410) {
    return new FetchError('permanent', `There is no page at this address (status ${status}).`, {
      status,
    })
  }
  const refuses = status === 401 || status === 403
  const sentence = refuses ? 'The site refuses to show this page' : 'The site gave no page'
  return new FetchError('transient', `${sentence} (status ${status}).`, { status })
}

/** A header can address a single crawler: `otherbot: noindex`. */
function appliesToCrawler(header: string): boolean {
  const name = /^\s*([\w-]+)\s*:/.exec(header)?.[1]?.toLowerCase()
  return name === undefined || name === 'unavailable_after' || name === ROBOT.toLowerCase()
}

function firstHeader(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

const MAX_STORED_HEADER_LENGTH = 200

function storedHeader(header: string | string[] | undefined): string | null {
  const text = firstHeader(header)
  return text !== undefined && text.length <= MAX_STORED_HEADER_LENGTH ? text : null
}

/** Drains a short body, so that the connection is reused; a longer body closes the connection. */
function discardBody(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => undefined)
  body.dump({ limit: 16_384 }).catch(() => undefined)
}

function decoderFor(encoding: string) {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip()
  if (encoding === 'deflate') return createInflate()
  return encoding === 'br' ? createBrotliDecompress() : undefined
}

/** Reads and decompresses a body. Throws FetchError as soon as the size exceeds the limit. */
async function readBody(
  { headers, body }: Dispatcher.ResponseData,
  max: (start: Buffer) => number,
  signal: AbortSignal,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  const decoder = decoderFor(firstHeader(headers['content-encoding'])?.trim().toLowerCase() ?? '')
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of source) {
      chunks.push(chunk)
      size += chunk.length
      const limit = max(chunks[0] ?? chunk)
      if (size > limit) {
        throw new FetchError('permanent', `The page is larger than ${limit / 1_000_000} MB.`)
      }
    }
  }
  const source: Readable = body
  if (decoder) await pipeline(source, decoder, collect, { signal })
  else await pipeline(source, collect, { signal })
  return Buffer.concat(chunks)
}
