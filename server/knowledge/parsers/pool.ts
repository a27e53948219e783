import { Worker } from 'node:worker_threads'
import type { ParseResult, SitemapResult, ParseInput } from './parse.ts'

/** The largest book tested took 6 s. */
const PARSE_TIMEOUT_MS = 30_000
const MAX_HEAP_MB = 256
/** Buffers are outside the heap; the pool checks them while the thread works. */
const MAX_BUFFER_BYTES = 320_000_000
const MEMORY_CHECK_INTERVAL_MS = 50
/** An idle thread is terminated, which frees its memory. */
const IDLE_TIMEOUT_MS = 20_000

const OUT_OF_MEMORY = 'The document takes too much memory to read. Split it into several files.'
const TIMED_OUT = 'The document takes too long to read. Split it into several files.'
const DAMAGED = 'The document could not be read. Save it once more, or as PDF.'

interface ParseProblem {
  problem: string
}

interface ParseOutcome<Result> {
  result: Result | ParseProblem
  /** The thread is terminated, and the next input gets a new one. */
  isBroken: boolean
}

export interface ParserLimits {
  timeMs: number
  bufferBytes: number
}

/**
 * Parses documents in a worker thread, one at a time. A document that exceeds the time or memory limit
 * terminates the thread, and fails alone.
 */
export class ParserPool {
  readonly #limits: ParserLimits
  #thread: Worker | undefined
  #last: Promise<unknown> = Promise.resolve()
  #idle: NodeJS.Timeout | undefined

  constructor(limits: Partial<ParserLimits> = {}) {
    this.#limits = { timeMs: PARSE_TIMEOUT_MS, bufferBytes: MAX_BUFFER_BYTES, ...limits }
  }

  /** Parses a document. Never rejects: a failure is a `problem`. Copies the bytes. */
  parse(source: ParseInput): Promise<ParseResult> {
    return this.#enqueue<ParseResult>(source)
  }

  /** Parses a sitemap. Never rejects: a failure is a `problem`. */
  parseSitemap(bytes: Uint8Array): Promise<SitemapResult> {
    return this.#enqueue<SitemapResult>({ bytes, title: '', role: 'sitemap' })
  }

  #enqueue<Result>(source: ParseInput): Promise<Result | ParseProblem> {
    const result = this.#last.then(() => this.#run<Result>(source))
    this.#last = result
    return result
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    await this.#terminate()
  }

  async #terminate(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    await thread?.terminate()
  }

  async #run<Result>(source: ParseInput): Promise<Result | ParseProblem> {
    clearTimeout(this.#idle)
    this.#thread ??= openThread()
    const thread = this.#thread
    const outcome = await this.#watch<Result>(thread, source)
    if (outcome.isBroken) await this.#terminate()
    else this.#idle = setTimeout(() => void this.#terminate(), IDLE_TIMEOUT_MS).unref()
    return outcome.result
  }

  #watch<Result>(thread: Worker, source: ParseInput): Promise<ParseOutcome<Result>> {
    return new Promise((resolve) => {
      const settle = (result: Result | ParseProblem, isBroken: boolean) => {
        clearTimeout(deadline)
        clearInterval(watch)
        thread.off('message', onMessage).off('error', onError).off('exit', onExit)
        resolve({ result, isBroken })
      }
      const onMessage = (result: Result) => settle(result, false)
      const onError = (error: NodeJS.ErrnoException) => {
        const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        settle({ problem: isFull ? OUT_OF_MEMORY : DAMAGED }, true)
      }
      const onExit = () => settle({ problem: DAMAGED }, true)
      const deadline = setTimeout(() => settle({ problem: TIMED_OUT }, true), this.#limits.timeMs)
      const watch = setInterval(() => {
        thread.getHeapStatistics().then(
          ({ external_memory: bytes }) => {
            if (bytes > this.#limits.bufferBytes) settle({ problem: OUT_OF_MEMORY }, true)
          },
          // The thread has ended; its `exit` event settles the result.
          () => undefined,
        )
      }, MEMORY_CHECK_INTERVAL_MS)
      thread.on('message', onMessage).on('error', onError).on('exit', onExit)
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
  // A late error of a terminated thread must not end the process.
  thread.on('error', () => undefined)
  thread.unref()
  return thread
}
