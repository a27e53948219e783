import robotsParser from 'robots-parser'
import { FetchError } from './fetch-error.ts'
import { ROBOT, type Fetcher } from './fetcher.ts'

const MAX_ROBOTS_BYTES = 500_000
const MAX_CRAWL_DELAY_S = 10

type RobotsRules = ReturnType<typeof robotsParser> | undefined

/** The robots.txt rules of sites (RFC 9309), fetched once per sync and site. */
export class Robots {
  readonly #fetcher: Fetcher
  readonly #signal: AbortSignal
  readonly #rules = new Map<string, Promise<RobotsRules>>()

  constructor(fetcher: Fetcher, signal: AbortSignal) {
    this.#fetcher = fetcher
    this.#signal = signal
  }

  /** Throws FetchError when robots.txt disallows the page or cannot be fetched. */
  async assertAllowed(url: URL): Promise<void> {
    const rules = await this.#rulesOf(url)
    if (rules?.isDisallowed(url.href, ROBOT)) {
      throw new FetchError(
        'permanent',
        `The site's robots.txt does not let ${ROBOT} read this page.`,
      )
    }
  }

  /** Returns the crawl delay of a site in milliseconds, at most 10 s. */
  async delayOf(url: URL): Promise<number> {
    const rules = await this.#rulesOf(url).catch(() => undefined)
    return Math.min(MAX_CRAWL_DELAY_S, rules?.getCrawlDelay(ROBOT) ?? 0) * 1_000
  }

  #rulesOf({ origin }: URL): Promise<RobotsRules> {
    const known = this.#rules.get(origin) ?? this.#fetchRules(`${origin}/robots.txt`)
    this.#rules.set(origin, known)
    return known
  }

  async #fetchRules(address: string): Promise<RobotsRules> {
    try {
      const { bytes } = await this.#fetcher.get(address, {
        maxBytes: () => MAX_ROBOTS_BYTES,
        signal: this.#signal,
      })
      return robotsParser(address, bytes.toString('utf8'))
    } catch (error) {
      if (!(error instanceof FetchError)) throw error
      const { kind, status = 500 } = error
      // RFC 9309: a 4xx response allows everything; a server error or no response disallows everything.
      if (kind === 'permanent' || (status < 500 && status !== 429)) return undefined
      throw new FetchError('transient', `The site's robots.txt cannot be read: ${error.message}`)
    }
  }
}

/** Whether robots directives of a page or its headers forbid indexing. */
export function hasNoIndex(directives: string): boolean {
  return directives.split(/[,\s]+/).some((word) => word === 'noindex' || word === 'none')
}
