import robotsParser from 'robots-parser'
import { Unreachable } from './unreachable.ts'
import { ROBOT, type Web } from './web.ts'

const MOST_ROBOTS_BYTES = 500_000
const LONGEST_DELAY_S = 10

type Rules = ReturnType<typeof robotsParser> | undefined

/** What sites allow (RFC 9309), each asked once; kept for as long as one sync takes. */
export class Robots {
  readonly #web: Web
  readonly #signal: AbortSignal
  readonly #rules = new Map<string, Promise<Rules>>()

  constructor(web: Web, signal: AbortSignal) {
    this.#web = web
    this.#signal = signal
  }

  /** Throws `Unreachable` where the site does not want the page read, or does not say. */
  async judge(url: URL): Promise<void> {
    const rules = await this.#of(url)
    if (rules?.isDisallowed(url.href, ROBOT)) {
      throw new Unreachable('gone', `The site's robots.txt does not let ${ROBOT} read this page.`)
    }
  }

  /** How long to wait between two pages of a site, in milliseconds. */
  async delayOf(url: URL): Promise<number> {
    const rules = await this.#of(url).catch(() => undefined)
    return Math.min(LONGEST_DELAY_S, rules?.getCrawlDelay(ROBOT) ?? 0) * 1_000
  }

  #of({ origin }: URL): Promise<Rules> {
    const known = this.#rules.get(origin) ?? this.#read(`${origin}/robots.txt`)
    this.#rules.set(origin, known)
    return known
  }

  async #read(address: string): Promise<Rules> {
    try {
      const { bytes } = await this.#web.get(address, {
        most: () => MOST_ROBOTS_BYTES,
        signal: this.#signal,
      })
      return robotsParser(address, bytes.toString('utf8'))
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      const { kind, status = 500 } = error
      // There is none (4xx): everything is allowed. No answer: nothing is, for now.
      if (kind === 'gone' || (status < 500 && status !== 429)) return undefined
      throw new Unreachable('later', `The site's robots.txt cannot be read: ${error.message}`)
    }
  }
}

/** Whether directives of a page or its headers ask that it is not found. */
export function asksForNoIndex(directives: string): boolean {
  return directives.split(/[,\s]+/).some((word) => word === 'noindex' || word === 'none')
}
