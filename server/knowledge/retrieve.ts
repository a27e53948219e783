import type { Context } from '../context.ts'
import type { Hit, SearchIndex } from './search-index.ts'
import { listPassages } from './store.ts'

/** Indexes of so many tenants stay in memory; the one that was asked longest ago goes first. */
const MOST_INDEXES = 200

/** A tenant, and which version of its knowledge an answer is made from. */
export interface KnowledgePlace {
  workspaceId: string
  tenantId: string
  version: number
}

/** The search and its stemmers, loaded with the first question: not every process is asked. */
async function loadSearch() {
  const [{ buildIndexInTurns, search }, { createStemmer }] = await Promise.all([
    import('./search-index.ts'),
    import('../lib/stemmer.ts'),
  ])
  return { buildIndexInTurns, search, stemmer: createStemmer() }
}

type Search = Awaited<ReturnType<typeof loadSearch>>

/** The search indexes of this process, each built from the stored passages when first asked. */
export class SearchIndexes {
  readonly #built = new Map<string, { version: number; index: Promise<SearchIndex> }>()
  #search: Promise<Search> | undefined

  /** The passages of a tenant that fit a question best, best first. */
  async find(ctx: Context, place: KnowledgePlace, question: string, limit: number): Promise<Hit[]> {
    this.#search ??= loadSearch()
    const loaded = await this.#search
    return loaded.search(await this.#open(ctx, place, loaded), question, limit)
  }

  async #open(ctx: Context, place: KnowledgePlace, loaded: Search): Promise<SearchIndex> {
    const key = `${place.workspaceId} ${place.tenantId}`
    const known = this.#built.get(key)
    this.#built.delete(key)
    const current =
      known && known.version >= place.version
        ? known
        : { version: place.version, index: build(ctx, place, loaded) }
    this.#built.set(key, current)
    if (this.#built.size > MOST_INDEXES) {
      for (const oldest of this.#built.keys()) {
        this.#built.delete(oldest)
        break
      }
    }
    try {
      return await current.index
    } catch (error) {
      if (this.#built.get(key) === current) this.#built.delete(key)
      throw error
    }
  }
}

async function build(
  ctx: Context,
  { workspaceId, tenantId }: KnowledgePlace,
  { buildIndexInTurns, stemmer }: Search,
): Promise<SearchIndex> {
  return buildIndexInTurns(await listPassages(ctx.db, workspaceId, tenantId), stemmer)
}
