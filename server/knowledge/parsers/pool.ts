import { Worker } from 'node:worker_threads'
import type { ParseResult, SitemapResult, Source } from './parse.ts'

/** The largest book that was tried took 6 s. */
const PARSE_TIMEOUT_MS = 30_000
const MAX_HEAP_MB = 256
/** Buffers lie outside the heap, so they are watched while the thread works. */
const MAX_BUFFER_BYTES = 320_000_000
const WATCH_MS = 50
/** An idle thread goes, and its memory with it. */
const IDLE_MS = 20_000

const TOO_MUCH = 'The document takes too much memory to read. Split it into several files.'
const TOO_LONG = 'The document takes too long to read. Split it into several files.'
const DAMAGED = 'The document could not be read. Save it once more, or as PDF.'

interface ParseProblem {
  problem: string
}

interface ParseOutcome<Result> {
  result: Result | ParseProblem
  /** The thread cannot be used again. */
  isBroken: boolean
}

export interface ParserLimits {
  timeMs: number
  bufferBytes: number
}

/**
 * Reads documents in a thread of its own, one after the other. A document that takes too long or
 * too much memory ends the thread, and only that document.
 */
export class ParserPool {
  readonly #limits: ParserLimits
  #thread: Worker | undefined
  #last: Promise<unknown> = Promise.resolve()
  #idle: NodeJS.Timeout | undefined

  constructor(limits: Partial<ParserLimits> = {}) {
    this.#limits = { timeMs: PARSE_TIMEOUT_MS, bufferBytes: MAX_BUFFER_BYTES, ...limits }
  }

  /** Never rejects: what cannot be read is a `problem`. The bytes are handed over and gone here. */
  read(source: Source): Promise<ParseResult> {
    return this.#inTurn<ParseResult>(source)
  }

  /** The same for a list of pages. */
  readSitemap(bytes: Uint8Array): Promise<SitemapResult> {
    return this.#inTurn<SitemapResult>({ bytes, title: '', role: 'sitemap' })
  }

  #inTurn<Result>(source: Source): Promise<Result | ParseProblem> {
    const result = this.#last.then(() => this.#readNow<Result>(source))
    this.#last = result
    return result
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    await this.#drop()
  }

  async #drop(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    await thread?.terminate()
  }

  async #readNow<Result>(source: Source): Promise<Result | ParseProblem> {
    clearTimeout(this.#idle)
    this.#thread ??= openThread()
    const thread = this.#thread
    const outcome = await this.#watch<Result>(thread, source)
    if (outcome.isBroken) await this.#drop()
    else this.#idle = setTimeout(() => void this.#drop(), IDLE_MS).unref()
    return outcome.result
  }

  #watch<Result>(thread: Worker, source: Source): Promise<ParseOutcome<Result>> {
    return new Promise((resolve) => {
      const settle = (result: Result | ParseProblem, isBroken: boolean) => {
        clearTimeout(deadline)
        clearInterval(watch)
        thread.off('message', answered).off('error', failed).off('exit', ended)
        resolve({ result, isBroken })
      }
      const answered = (result: Result) => settle(result, false)
      const failed = (error: NodeJS.ErrnoException) => {
        const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        settle({ problem: isFull ? TOO_MUCH : DAMAGED }, true)
      }
      const ended = () => settle({ problem: DAMAGED }, true)
      const deadline = setTimeout(() => settle({ problem: TOO_LONG }, true), this.#limits.timeMs)
      const watch = setInterval(() => {
        thread.getHeapStatistics().then(
          ({ external_memory: bytes }) => {
            if (bytes > this.#limits.bufferBytes) settle({ problem: TOO_MUCH }, true)
          },
          // It has ended, which its own event says.
          () => undefined,
        )
      }, WATCH_MS)
      thread.on('message', answered).on('error', failed).on('exit', ended)
      const bytes = Uint8Array.from(source.bytes)
      thread.postMessage({ ...source, bytes }, [bytes.buffer])
    })
  }
}

function openThread(): Worker {
  const thread = new Worker(new URL('./worker.ts', import.meta.url), {
    name: 'knowledge-reader',
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  // Whatever a thread that is given up still says must not end the process.
  thread.on('error', () => undefined)
  thread.unref()
  return thread
}
