import type { Clock } from '../lib/clock.ts'
import type { EmbeddingChoice, EmbeddingModel } from './embedding-model.ts'
import { ModelFailure } from './model.ts'
import { openAiEmbeddings } from './openai/openai-embeddings.ts'
import type { Dispatchers } from './registry.ts'

declare module '../context.ts' {
  interface Services {
    /** The models that turn passages and questions into vectors. */
    readonly embeddings: Embeddings
  }
}

/** Longest time until a choice that another process changed takes effect here. */
const CACHE_TTL_MS = 5_000
const MAX_CACHED = 1_000
/** A visitor waits no longer for the vector of a question. */
const QUESTION_TIMEOUT_MS = 300
/** Questions go without vectors for so long after as many failures in a row. */
const BREAK_MS = 30_000
const MAX_FAILURES = 3

interface CachedModel {
  until: number
  model: Promise<EmbeddingModel | undefined>
}

export interface EmbeddingsOptions {
  clock: Clock
  /** Opens the connections with the first model. */
  openDispatchers: () => Promise<Dispatchers>
  /** The model of the settings. */
  installation: EmbeddingChoice | undefined
  /**
   * A workspace's own model; `installation` for a workspace without one, and undefined for a workspace
   * whose data stay in the process.
   */
  find: (workspaceId: string) => Promise<EmbeddingChoice | 'installation' | undefined>
}

/** Resolves the embedding model of a workspace, and embeds questions in bounded time. */
export class Embeddings {
  readonly #options: EmbeddingsOptions
  readonly #cache = new Map<string, CachedModel>()
  readonly #breakers = new WeakMap<EmbeddingModel, { failures: number; until: number }>()
  #dispatchers: Promise<Dispatchers> | undefined
  #shared: Promise<EmbeddingModel> | undefined

  constructor(options: EmbeddingsOptions) {
    this.#options = options
  }

  /** Returns the embedding model of a workspace; undefined for lexical search alone. */
  open(workspaceId: string): Promise<EmbeddingModel | undefined> {
    const now = this.#options.clock.now()
    const cached = this.#cache.get(workspaceId)
    if (cached && cached.until > now) return cached.model
    const model = this.#open(workspaceId)
    this.#cache.delete(workspaceId)
    this.#cache.set(workspaceId, { until: now + CACHE_TTL_MS, model })
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size <= MAX_CACHED) break
      this.#cache.delete(oldest)
    }
    model.catch(() => this.invalidate(workspaceId))
    return model
  }

  /**
   * Returns the vector of a question; undefined when it does not come within 300 ms, or when the
   * provider has failed several times in a row.
   */
  async embedQuestion(model: EmbeddingModel, question: string): Promise<Float32Array | undefined> {
    const { clock } = this.#options
    const breaker = this.#breakers.get(model) ?? { failures: 0, until: 0 }
    this.#breakers.set(model, breaker)
    if (breaker.until > clock.now()) return undefined
    const stop = new AbortController()
    const cancel = clock.after(QUESTION_TIMEOUT_MS, () => stop.abort())
    try {
      const { vectors } = await model.embed([question], stop.signal)
      breaker.failures = 0
      return vectors[0]
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error
      breaker.failures += 1
      if (breaker.failures >= MAX_FAILURES) {
        breaker.failures = 0
        breaker.until = clock.now() + BREAK_MS
      }
      return undefined
    } finally {
      cancel()
    }
  }

  /** Drops the cached model of a workspace whose choice has changed. Idempotent. */
  invalidate(workspaceId: string): void {
    this.#cache.delete(workspaceId)
  }

  /** Closes every connection. */
  async close(): Promise<void> {
    const reach = await this.#dispatchers
    if (!reach) return
    await Promise.all([reach.trusted.dispatcher.destroy(), reach.guarded.dispatcher.destroy()])
  }

  async #open(workspaceId: string): Promise<EmbeddingModel | undefined> {
    const choice = await this.#options.find(workspaceId)
    if (choice === undefined) return undefined
    if (choice !== 'installation') return this.#openChoice(choice, 'guarded')
    const { installation } = this.#options
    if (installation) this.#shared ??= this.#openChoice(installation, 'trusted')
    return this.#shared
  }

  async #openChoice(choice: EmbeddingChoice, way: keyof Dispatchers): Promise<EmbeddingModel> {
    this.#dispatchers ??= this.#options.openDispatchers()
    return openAiEmbeddings((await this.#dispatchers)[way], choice)
  }
}
