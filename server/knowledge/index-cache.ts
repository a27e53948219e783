import type { Context } from '../context.ts'
import { CacheCounts } from '../lib/instruments.ts'
import type { Hit, SearchIndex } from './search/search-index.ts'
import type { KnowledgeRef } from './documents/documents.ts'
import { listPassages } from './documents/store.ts'

/**
 * Indexes of so many tenants stay in memory, as long as they have no more passages together, at some
 * 15 KB each; the one that was asked longest ago goes first.
 */
const MAX_INDEXES = 200
const MAX_PASSAGES_IN_MEMORY = 60_000

declare module '../context.ts' {
  interface Services {
    readonly indexes: IndexCache
  }
}

/** The search and its stemmers, loaded with the first question: not every process is asked. */
async function loadSearch() {
  const [{ buildIndexCooperatively: buildIndexInTurns, search }, { createStemmer }] =
    await Promise.all([import('./search/search-index.ts'), import('../lib/text/stemmer.ts')])
  return { buildIndexInTurns, search, stemmer: createStemmer() }
}

type TenantSearch = Awaited<ReturnType<typeof loadSearch>>

interface BuiltSearch {
  version: number
  index: Promise<SearchIndex>
  /** 0 until it is built. */
  passages: number
}

/** The search indexes of this process, each built from the stored passages when first asked. */
export class IndexCache {
  readonly cache = new CacheCounts()
  readonly #built = new Map<string, BuiltSearch>()
  #search: Promise<TenantSearch> | undefined

  /** The passages of a tenant that fit a question best, best first. */
  async find(ctx: Context, place: KnowledgeRef, question: string, limit: number): Promise<Hit[]> {
    this.#search ??= loadSearch()
    const loaded = await this.#search
    return loaded.search(await this.#open(ctx, place, loaded), question, limit)
  }

  async #open(ctx: Context, place: KnowledgeRef, loaded: TenantSearch): Promise<SearchIndex> {
    const key = `${place.workspaceId} ${place.tenantId}`
    const known = this.#built.get(key)
    this.#built.delete(key)
    const isFresh = known !== undefined && known.version >= place.version
    this.cache[isFresh ? 'hits' : 'misses'].add()
    const current: BuiltSearch = isFresh
      ? known
      : { version: place.version, index: build(ctx, place, loaded), passages: 0 }
    this.#built.set(key, current)
    try {
      const index = await current.index
      current.passages = index.entries.length
      this.#makeRoom(current)
      return index
    } catch (error) {
      if (this.#built.get(key) === current) this.#built.delete(key)
      throw error
    }
  }

  #makeRoom(asked: BuiltSearch): void {
    let passages = 0
    for (const built of this.#built.values()) passages += built.passages
    for (const [key, built] of this.#built) {
      if (this.#built.size <= MAX_INDEXES && passages <= MAX_PASSAGES_IN_MEMORY) return
      if (built === asked) continue
      this.#built.delete(key)
      passages -= built.passages
    }
  }
}

async function build(
  ctx: Context,
  { workspaceId, tenantId }: KnowledgeRef,
  { buildIndexInTurns, stemmer }: TenantSearch,
): Promise<SearchIndex> {
  return buildIndexInTurns(await listPassages(ctx.db, workspaceId, tenantId), stemmer)
}
