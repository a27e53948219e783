import { setImmediate } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { Gauge, type Registry } from 'prom-client'
import type { Context } from '../context.ts'
import { CacheCounts } from '../lib/instruments.ts'
import { FairTurns } from '../lib/fair-turns.ts'
import type { KnowledgeRef } from './documents/documents.ts'
import { listPassages, measurePassages } from './documents/store.ts'
import { IndexRefusals } from './index-refusals.ts'
import type { SearchRequest } from './search/query.ts'
import { SearchBuffers } from './search/score-buffers.ts'
import type { Hit } from './search/hit.ts'
import type { SearchIndex } from './search/search-index.ts'
import { searchMetrics } from './metrics.ts'
import { IndexSnapshots } from './snapshots/snapshots.ts'
import { loadVectors } from './vectors/load-vectors.ts'
import { findTenantVectors } from './vectors/store.ts'
import type { VectorIndex } from './vectors/vector-index.ts'

/** Shares of the heap limit: all indexes of the process, and the index of one tenant. */
const MAX_HEAP_SHARE = 0.5
const MAX_TENANT_HEAP_SHARE = 0.35
/** The greatest weight of an index relative to its text: of words that each occur once. */
const MAX_INDEX_GROWTH = 64
/** Nearest passages whose ranks are fused with the lexical ones. */
const MAX_NEAREST = 50

declare module '../context.ts' {
  interface Services {
    readonly indexes: IndexCache
  }
}

/** Imports the search and its stemmers with the first question: not every process searches. */
async function loadSearch() {
  const [search, { createStemmer }] = await Promise.all([
    import('./search/search-index.ts'),
    import('../lib/text/stemmer.ts'),
  ])
  return { ...search, stemmer: createStemmer() }
}

type Search = Awaited<ReturnType<typeof loadSearch>>

/** An index that is cached, or that waits for its build. */
interface CacheEntry {
  version: number
  index: Promise<SearchIndex>
  isBuilding: boolean
  /** Bytes of the finished index and its vectors; before, 0. */
  bytes: number
  vectors?: LoadedVectors | undefined
}

interface LoadedVectors extends VectorState {
  index: Promise<VectorIndex | undefined>
  /** The previous index, which answers while `index` is loaded. */
  loaded: VectorIndex | undefined
}

/** The model and the version of a tenant's vectors. */
interface VectorState {
  model: string
  version: number
}

interface OpenedIndex {
  index: SearchIndex
  entry: CacheEntry
}

/** Memory bounds of the cache in bytes. */
export interface IndexLimits {
  totalBytes: number
  tenantBytes: number
}

function limitsOfHeap(): IndexLimits {
  const { heap_size_limit: heap } = getHeapStatistics()
  return { totalBytes: heap * MAX_HEAP_SHARE, tenantBytes: heap * MAX_TENANT_HEAP_SHARE }
}

/**
 * LRU cache of the search indexes of this process, bounded in estimated bytes, the build in progress
 * included. One large and one small index are built at a time, and workspaces take turns in each lane: a
 * small index does not wait for a large one. An index that a process has stored is loaded in its place.
 */
export class IndexCache {
  readonly #cache = new CacheCounts()
  readonly #limits: IndexLimits
  readonly #buffers = new SearchBuffers()
  readonly #snapshots = new IndexSnapshots()
  readonly #entries = new Map<string, CacheEntry>()
  readonly #refusals = new IndexRefusals()
  #search: Promise<Search> | undefined
  /** Bytes to which each build in progress may grow. */
  readonly #reserved = new Map<CacheEntry, number>()
  readonly #largeBuilds = new FairTurns()
  readonly #smallBuilds = new FairTurns()

  constructor(limits: IndexLimits = limitsOfHeap()) {
    this.#limits = limits
  }

  /** Exposes the size of the cache, and how its lookups end. */
  expose(registry: Registry): void {
    this.#cache.expose(registry, 'search_index')
    const open = new Gauge({
      name: 'sohbet_search_indexes_open',
      help: 'Search indexes in the memory of this process, those that wait for their build included',
      registers: [registry],
      collect: () => {
        open.set(this.#entries.size)
      },
    })
    const bytes = new Gauge({
      name: 'sohbet_search_indexes_bytes',
      help: 'Estimated memory of the search indexes of this process, vectors included',
      registers: [registry],
      collect: () => {
        let sum = 0
        for (const entry of this.#entries.values()) sum += entry.bytes
        bytes.set(sum)
      },
    })
  }

  /**
   * Returns the passages of a tenant that match a question, best first; `synonyms` are the tenant's
   * own. Throws 503 `overloaded` when
   * the tenant's index exceeds its memory bound.
   */
  async find(
    ctx: Context,
    tenant: KnowledgeRef,
    request: SearchRequest & { synonyms?: readonly (readonly string[])[] },
    limit: number,
  ): Promise<Hit[]> {
    this.#search ??= loadSearch()
    const search = await this.#search
    const [{ index, entry }, asked] = await Promise.all([
      this.#open(ctx, tenant, search),
      this.#embedQuestion(ctx, tenant, request.question),
    ])
    if (request.synonyms) search.useSynonyms(index, request.synonyms)
    const buffers = this.#buffers
    if (!asked) return search.search(index, request, limit, { buffers })
    const vectors = await this.#openVectors(ctx, tenant, entry, index, asked.state)
    const nearest = vectors?.nearest(asked.vector, MAX_NEAREST) ?? []
    return search.search(index, request, limit, { nearest, buffers })
  }

  /** Returns the question's vector, where the tenant's passages have vectors of the same model. */
  async #embedQuestion(
    ctx: Context,
    tenant: KnowledgeRef,
    question: string,
  ): Promise<{ vector: Float32Array; state: VectorState } | undefined> {
    const model = await ctx.embeddings.open(tenant.workspaceId)
    if (!model) return undefined
    const state = await findTenantVectors(ctx.db, tenant)
    if (state?.model !== model.name) return undefined
    const vector = await ctx.embeddings.embedQuestion(model, question)
    return vector && { vector, state }
  }

  /**
   * Returns the vectors of an index. Stale ones answer while the newest are loaded; only the first
   * question of an index waits.
   */
  async #openVectors(
    ctx: Context,
    tenant: KnowledgeRef,
    entry: CacheEntry,
    index: SearchIndex,
    { model, version }: VectorState,
  ): Promise<VectorIndex | undefined> {
    const { vectors } = entry
    if (vectors?.model === model && vectors.version >= version) return vectors.index
    const isStale = vectors?.model === model
    const maxBytes = this.#limits.tenantBytes - index.bytes
    const bounds = { entries: index.entries, maxBytes }
    const loading = loadVectors(ctx, tenant, model, bounds).then((loaded) => {
      entry.bytes = index.bytes + (loaded?.bytes ?? 0)
      this.#reserve(entry, 0)
      this.#reserved.delete(entry)
      return loaded
    })
    const current = vectors?.loaded
    entry.vectors = { model, version, index: loading, loaded: isStale ? current : undefined }
    const own = entry.vectors
    loading.then(
      (loaded) => {
        own.loaded = loaded
      },
      () => {
        // The next question tries again.
        if (entry.vectors === own) entry.vectors = undefined
      },
    )
    return isStale && current ? current : loading
  }

  /**
   * Loads or builds the index of a tenant that nobody has asked yet, where the cache has room for it. The index is
   * evicted before all others, so the first tenant to warm is the one that was asked last. Does nothing for
   * an index that is there or waits for its build; throws like `find`.
   */
  async warm(ctx: Context, tenant: KnowledgeRef): Promise<void> {
    const key = keyOf(tenant)
    this.#search ??= loadSearch()
    const search = await this.#search
    const { maxBytes } = await this.#chooseLane(ctx, tenant)
    if (this.#entries.has(key) || this.#usedBytes() + maxBytes > this.#limits.totalBytes) return
    this.#refusals.assertNone(ctx, tenant)
    const entry = this.#startBuild(ctx, tenant, search)
    const others = [...this.#entries]
    this.#entries.clear()
    this.#entries.set(key, entry)
    for (const [other, asked] of others) this.#entries.set(other, asked)
    await this.#awaitBuild(key, entry)
  }

  /** Stores the indexes that wait for it, for up to a second. */
  stop(): Promise<void> {
    return this.#snapshots.stop()
  }

  async #open(ctx: Context, tenant: KnowledgeRef, search: Search): Promise<OpenedIndex> {
    const key = keyOf(tenant)
    this.#refusals.assertNone(ctx, tenant)
    const cached = this.#entries.get(key)
    // A build that has not started will load the newest passages.
    const isFresh =
      cached !== undefined &&
      (cached.version >= tenant.version || (!cached.isBuilding && cached.bytes === 0))
    this.#cache[isFresh ? 'hits' : 'misses'].add()
    const entry = isFresh ? cached : this.#startBuild(ctx, tenant, search)
    entry.version = Math.max(entry.version, tenant.version)
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return { index: await this.#awaitBuild(key, entry), entry }
  }

  /** Returns the index once it is built; an entry whose build fails is removed. */
  async #awaitBuild(key: string, entry: CacheEntry): Promise<SearchIndex> {
    try {
      return await entry.index
    } catch (error) {
      if (this.#entries.get(key) === entry) this.#entries.delete(key)
      throw error
    }
  }

  #startBuild(ctx: Context, tenant: KnowledgeRef, search: Search): CacheEntry {
    const build = this.#queueBuild(ctx, tenant, search, () => entry)
    const entry: CacheEntry = {
      version: tenant.version,
      index: build,
      isBuilding: false,
      bytes: 0,
    }
    return entry
  }

  async #queueBuild(
    ctx: Context,
    tenant: KnowledgeRef,
    search: Search,
    entry: () => CacheEntry,
  ): Promise<SearchIndex> {
    const { lane, maxBytes } = await this.#chooseLane(ctx, tenant)
    const build = { tenant, maxBytes, entry: entry() }
    return lane.run(tenant.workspaceId, () => this.#build(ctx, search, build))
  }

  /** Chooses the lane by the text, and the bound by the lane. */
  async #chooseLane(
    ctx: Context,
    { workspaceId, tenantId }: KnowledgeRef,
  ): Promise<{ lane: FairTurns; maxBytes: number }> {
    const { totalBytes, tenantBytes } = this.#limits
    const rest = totalBytes - tenantBytes
    const text = await measurePassages(ctx.db, workspaceId, tenantId)
    // SQLite reads on this thread, and the build measures again.
    await setImmediate()
    if (text > rest / MAX_INDEX_GROWTH) return { lane: this.#largeBuilds, maxBytes: tenantBytes }
    return { lane: this.#smallBuilds, maxBytes: Math.min(rest, tenantBytes) }
  }

  async #build(
    ctx: Context,
    search: Search,
    { tenant, maxBytes, entry }: { tenant: KnowledgeRef; maxBytes: number; entry: CacheEntry },
  ): Promise<SearchIndex> {
    // The previous index of the tenant is dropped by the map; a refusal may have come in between.
    this.#refusals.assertNone(ctx, { ...tenant, version: entry.version })
    entry.isBuilding = true
    const { workspaceId, tenantId } = tenant
    try {
      const bytes = await measurePassages(ctx.db, workspaceId, tenantId)
      if (bytes > maxBytes) throw new search.IndexTooLargeError()
      // The build may grow to its bound.
      this.#reserve(entry, maxBytes)
      // Read before the passages, which may be newer.
      const { version } = entry
      const passages = await listPassages(ctx.db, workspaceId, tenantId)
      const stored = await this.#snapshots.load(ctx, tenant, passages, search.stemmer)
      if (stored && stored.bytes > maxBytes) throw new search.IndexTooLargeError()
      const index =
        stored ?? (await search.buildIndexCooperatively(passages, search.stemmer, maxBytes))
      entry.bytes = index.bytes
      if (stored) return index
      searchMetrics(ctx.metrics).builds.add()
      this.#snapshots.storeLater(ctx, { ...tenant, version }, index)
      return index
    } catch (error) {
      if (!(error instanceof search.IndexTooLargeError)) throw error
      throw await this.#refusals.add(ctx, { ...tenant, version: entry.version }, error)
    } finally {
      entry.isBuilding = false
      this.#reserved.delete(entry)
    }
  }

  /** Reserves `bytes` for a build and evicts the least recently used indexes until all builds fit; 0 frees them. */
  #reserve(building: CacheEntry, bytes: number): void {
    this.#reserved.set(building, bytes)
    let total = this.#usedBytes()
    for (const [key, entry] of this.#entries) {
      if (total <= this.#limits.totalBytes) return
      if (entry.bytes === 0) continue
      this.#entries.delete(key)
      total -= entry.bytes
    }
  }

  /** Returns the bytes of finished indexes, and those reserved for builds. */
  #usedBytes(): number {
    let total = 0
    for (const reserved of this.#reserved.values()) total += reserved
    for (const entry of this.#entries.values()) total += entry.bytes
    return total
  }
}

function keyOf({ workspaceId, tenantId }: KnowledgeRef): string {
  return `${workspaceId} ${tenantId}`
}
