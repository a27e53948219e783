import { pipeline } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Agent, Dispatcher, request } from 'undici'
import { checkTarget, BLOCK_MESSAGES, type TargetPolicy } from '../../net/target.ts'
import { errorSentence, FetchError } from './fetch-error.ts'

/** The name by which sites know us, in robots.txt too. */
export const ROBOT = 'SohbetBot'

/** From the name's look-up to the last byte, for each address of the way. */
const RESPONSE_TIMEOUT_MS = 20_000
const MAX_REDIRECTS = 5
const MAX_HEADER_BYTES = 32_768
const CONNECTIONS_PER_HOST = 2
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** An answer that was fetched whole. */
export interface FetchResult {
  /** Where it came from in the end. */
  url: URL
  /** 200, or 304 where the page has not changed. */
  status: 200 | 304
  bytes: Buffer
  charset: string | undefined
  etag: string | null
  lastModified: string | null
  /** What the `X-Robots-Tag` headers say, in lower case. */
  robots: string
}

export interface FetchOptions {
  /** How many bytes are read, given the first of them. */
  max: (start: Buffer) => number
  signal: AbortSignal
  etag?: string | null
  lastModified?: string | null
  /** Called for each address of the way, before it is asked; throws to refuse it. */
  judge?: (url: URL) => Promise<void>
}

/** Lets so many ask one host at a time; the others wait in line. */
class HostLimiter {
  readonly #most: number
  readonly #inside = new Map<string, { count: number; waiting: (() => void)[] }>()

  constructor(max: number) {
    this.#most = max
  }

  async run<Result>(host: string, work: () => Promise<Result>): Promise<Result> {
    const place = this.#inside.get(host) ?? { count: 0, waiting: [] }
    this.#inside.set(host, place)
    if (place.count >= this.#most) await new Promise<void>((enter) => place.waiting.push(enter))
    else place.count += 1
    try {
      return await work()
    } finally {
      const next = place.waiting.shift()
      if (next) next()
      else place.count -= 1
      if (place.count === 0) this.#inside.delete(host)
    }
  }
}

/** Fetches what customers point at: guarded like webhooks, bounded in time, size and redirects. */
export class Fetcher {
  readonly #policy: TargetPolicy
  /** Opened with the first page: most processes start without one. */
  #client: Promise<{ agent: Agent; ask: typeof request }> | undefined
  readonly #userAgent: string
  readonly #longestMs: number
  readonly #gate = new HostLimiter(CONNECTIONS_PER_HOST)
  readonly #onRefused: (url: string, detail: string) => void

  constructor(options: {
    policy: TargetPolicy
    version: string
    /** Told the details that customers must not see. */
    onRefused: (url: string, detail: string) => void
    longestMs?: number
  }) {
    this.#policy = options.policy
    this.#userAgent = `${ROBOT}/${options.version}`
    this.#onRefused = options.onRefused
    this.#longestMs = options.longestMs ?? RESPONSE_TIMEOUT_MS
  }

  async close(): Promise<void> {
    const client = await this.#client
    await client?.agent.destroy()
  }

  async #open(): Promise<{ agent: Agent; ask: typeof request }> {
    const { Agent: Client, request: ask } = await import('undici')
    const { guardedConnector } = await import('../../net/ssrf-guard.ts')
    const agent = new Client({
      connect: guardedConnector({ policy: this.#policy }),
      connections: CONNECTIONS_PER_HOST,
      pipelining: 1,
      maxHeaderSize: MAX_HEADER_BYTES,
    })
    return { agent, ask }
  }

  /** Fetches a page. Throws `Unreachable` with a sentence for the person who wants it read. */
  async get(address: string, options: FetchOptions): Promise<FetchResult> {
    const seen = new Set<string>()
    let url = resolveTarget(address, this.#policy)
    try {
      for (let hops = 0; ; hops += 1) {
        if (hops > MAX_REDIRECTS || seen.has(url.href)) {
          throw new FetchError(
            'later',
            'The address leads in a circle, or through too many others.',
          )
        }
        seen.add(url.href)
        await options.judge?.(url)
        const found = await this.#gate.run(url.host, () => this.#inTime(url, options))
        if (!(found instanceof URL)) return found
        url = found
      }
    } catch (error) {
      options.signal.throwIfAborted()
      if (error instanceof FetchError) throw error
      if (error instanceof Error && 'code' in error && error.code === 'address_not_allowed') {
        this.#onRefused(url.href, error.message)
      }
      throw new FetchError('later', errorSentence(error), { cause: error })
    }
  }

  async #inTime(url: URL, options: FetchOptions): Promise<FetchResult | URL> {
    options.signal.throwIfAborted()
    const deadline = AbortSignal.timeout(this.#longestMs)
    try {
      return await this.#ask(url, options, AbortSignal.any([options.signal, deadline]))
    } catch (error) {
      if (!deadline.aborted) throw error
      throw new FetchError('later', 'The site took too long to answer.', { cause: error })
    }
  }

  /** Asks once: the answer, or where it redirects to. */
  async #ask(url: URL, options: FetchOptions, signal: AbortSignal): Promise<FetchResult | URL> {
    this.#client ??= this.#open()
    const { agent, ask } = await this.#client
    const answer = await ask(url, {
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
    const { statusCode, headers, body } = answer
    const location = textOf(headers.location)
    if (statusCode !== 200) discardBody(body)
    if (REDIRECTS.has(statusCode) && location !== undefined) {
      const next = URL.parse(location, url)
      if (!next) throw new FetchError('later', 'The address leads to one that nobody can read.')
      next.hash = ''
      return resolveTarget(next.href, this.#policy)
    }
    if (statusCode !== 200 && statusCode !== 304) throw statusProblem(statusCode)
    return {
      url,
      status: statusCode,
      bytes: statusCode === 200 ? await readBody(answer, options.max, signal) : Buffer.alloc(0),
      charset: /charset\s*=\s*"?([\w:.-]{2,40})/i.exec(textOf(headers['content-type']) ?? '')?.[1],
      etag: shortText(headers.etag),
      lastModified: shortText(headers['last-modified']),
      robots: [headers['x-robots-tag'] ?? []]
        .flat()
        .filter(appliesToCrawler)
        .join(', ')
        .toLowerCase(),
    }
  }
}

/** The address as it will be asked: judged, without a fragment, `https:` where `http:` is refused. */
function resolveTarget(address: string, policy: TargetPolicy): URL {
  const judged = checkTarget(address, policy)
  if (judged.ok) return judged.url
  if (judged.refusal === 'scheme' && /^http:/i.test(address)) {
    const secure = checkTarget(address.replace(/^http:/i, 'https:'), policy)
    if (secure.ok) return secure.url
  }
  throw new FetchError('gone', BLOCK_MESSAGES[judged.refusal])
}

function statusProblem(status: number): FetchError {
  if (status === 404 || status === 410) {
    return new FetchError('gone', `There is no page at this address (status ${status}).`, {
      status,
    })
  }
  const refuses = status === 401 || status === 403
  const sentence = refuses ? 'The site refuses to show this page' : 'The site gave no page'
  return new FetchError('later', `${sentence} (status ${status}).`, { status })
}

/** A header may speak to one robot only: `otherbot: noindex`. */
function appliesToCrawler(header: string): boolean {
  const name = /^\s*([\w-]+)\s*:/.exec(header)?.[1]?.toLowerCase()
  return name === undefined || name === 'unavailable_after' || name === ROBOT.toLowerCase()
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

const MAX_STORED_HEADER_LENGTH = 200

function shortText(header: string | string[] | undefined): string | null {
  const text = textOf(header)
  return text !== undefined && text.length <= MAX_STORED_HEADER_LENGTH ? text : null
}

/** Lets the connection be used again if the body is short, and closes it otherwise. */
function discardBody(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => undefined)
  body.dump({ limit: 16_384 }).catch(() => undefined)
}

function decoderFor(encoding: string) {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip()
  if (encoding === 'deflate') return createInflate()
  return encoding === 'br' ? createBrotliDecompress() : undefined
}

/** Reads a body and unpacks it; stops as soon as it is larger than it may be. */
async function readBody(
  { headers, body }: Dispatcher.ResponseData,
  max: (start: Buffer) => number,
  signal: AbortSignal,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  const unpacker = decoderFor(textOf(headers['content-encoding'])?.trim().toLowerCase() ?? '')
  const keep = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of source) {
      chunks.push(chunk)
      size += chunk.length
      const limit = max(chunks[0] ?? chunk)
      if (size > limit) {
        throw new FetchError('gone', `The page is larger than ${limit / 1_000_000} MB.`)
      }
    }
  }
  const source: Readable = body
  if (unpacker) await pipeline(source, unpacker, keep, { signal })
  else await pipeline(source, keep, { signal })
  return Buffer.concat(chunks)
}
