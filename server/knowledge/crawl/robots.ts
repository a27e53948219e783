import robotsParser from 'robots-parser'
import { FetchError } from './fetch-error.ts'
import { ROBOT, type Fetcher } from './fetcher.ts'

const MAX_ROBOTS_BYTES = 500_000
const MAX_CRAWL_DELAY_S = 10

type RobotsRules = ReturnType<typeof robotsParser> | undefined

/** What sites allow (RFC 9309), each asked once; kept for as long as one sync takes. */
export class Robots {
  readonly #web: Fetcher
  readonly #signal: AbortSignal
  readonly #rules = new Map<string, Promise<RobotsRules>>()

  constructor(web: Fetcher, signal: AbortSignal) {
    this.#web = web
    this.#signal = signal
  }

  /** Throws `Unreachable` where the site does not want the page read, or does not say. */
  async isAllowed(url: URL): Promise<void> {
    const rules = await this.#of(url)
    if (rules?.isDisallowed(url.href, ROBOT)) {
      throw new FetchError('gone', `The site's robots.txt does not let ${ROBOT} read this page.`)
    }
  }

  /** How long to wait between two pages of a site, in milliseconds. */
  async delayOf(url: URL): Promise<number> {
    const rules = await this.#of(url).catch(() => undefined)
    return Math.min(MAX_CRAWL_DELAY_S, rules?.getCrawlDelay(ROBOT) ?? 0) * 1_000
  }

  #of({ origin }: URL): Promise<RobotsRules> {
    const known = this.#rules.get(origin) ?? this.#read(`${origin}/robots.txt`)
    this.#rules.set(origin, known)
    return known
  }

  async #read(address: string): Promise<RobotsRules> {
    try {
      const { bytes } = await this.#web.get(address, {
        max: () => MAX_ROBOTS_BYTES,
        signal: this.#signal,
      })
      return robotsParser(address, bytes.toString('utf8'))
    } catch (error) {
      if (!(error instanceof FetchError)) throw error
      const { kind, status = 500 } = error
      // There is none (4xx): everything is allowed. No answer: nothing is, for now.
      if (kind === 'gone' || (status < 500 && status !== 429)) return undefined
      throw new FetchError('later', `The site's robots.txt cannot be read: ${error.message}`)
    }
  }
}

/** Whether directives of a page or its headers ask that it is not found. */
export function hasNoIndex(directives: string): boolean {
  return directives.split(/[,\s]+/).some((word) => word === 'noindex' || word === 'none')
}
