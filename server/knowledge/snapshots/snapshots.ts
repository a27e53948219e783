import { statfs } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { constants, createZstdCompress, zstdDecompress } from 'node:zlib'
import { type Context, transaction } from '../../context.ts'
import { SECOND_MS } from '../../lib/durations.ts'
import type { Stemmer } from '../../lib/text/stemmer.ts'
import { settleWithin } from '../../lib/timeout.ts'
import { runForWorkspace } from '../../storage/workspace-scope.ts'
import { type SnapshotResult, searchMetrics } from '../metrics.ts'
import { readFingerprint, stampPassages } from './fingerprint.ts'
import type { IndexedPassage, SearchIndex } from '../search/search-index.ts'
import { runInSlices } from '../search/slices.ts'
import {
  type SnapshotHead,
  deleteSnapshot,
  evictSnapshots,
  findSnapshot,
  readParts,
  replaceSnapshot,
} from './store.ts'

/** Fewer passages are indexed in some 50 ms or less, which a row in the database is not worth. */
const MIN_PASSAGES = 10
/** So long an index stays the newest of its tenant before it is stored: a site in flux stores none. */
const STORE_DELAY_MS = 30 * SECOND_MS
const STOP_TIMEOUT_MS = SECOND_MS
/** Of a tenant, compressed and not, and of the installation. */
const MAX_BYTES = 64_000_000
const MAX_RAW_BYTES = 512_000_000
const MAX_TOTAL_BYTES = 1_000_000_000
/** Bounds of a chunk that another thread decompresses: the way there and back takes longer than a small chunk. */
const MIN_CHUNK_BYTES = 65_536
const MAX_CHUNK_BYTES = 4_000_000
/** Of the disk of the embedded database: the last of it is for what must be written. */
const MIN_FREE_BYTES = 256_000_000

const decompress = promisify(zstdDecompress)

interface SnapshotTenant {
  workspaceId: string
  tenantId: string
  version: number
}

/** An index that waits to be stored. */
interface PendingStore {
  store: () => Promise<void>
  cancel: () => void
}

/**
 * Stores search indexes of this process in the database, and loads those that any process has stored. A
 * snapshot is used only for the same passages, in the same order, and by the same search: its stamp is a
 * digest of both. A failure costs the snapshot and nothing else.
 */
export class IndexSnapshots {
  /** Read at the start: an upgrade may replace the files below a process that runs the former ones. */
  readonly #fingerprint = readFingerprint()
  readonly #pending = new Map<string, PendingStore>()
  /** The last store of the queue: one runs at a time. */
  #last = Promise.resolve()
  #isStopped = false
  /** Whether the last attempt failed; one line of the log for many failures. */
  #isFailing = false

  constructor() {
    // A load or a store meets the error.
    this.#fingerprint.catch(() => undefined)
  }

  /** Returns the stored index of a tenant's passages; deletes one that is damaged or of another state. */
  async load(
    ctx: Context,
    tenant: SnapshotTenant,
    passages: readonly IndexedPassage[],
    stemmer: Stemmer,
  ): Promise<SearchIndex | undefined> {
    if (passages.length < MIN_PASSAGES) return undefined
    try {
      const head = await findSnapshot(ctx.db, tenant)
      if (!head) {
        count(ctx, 'missing')
        return undefined
      }
      const index = await this.#open(ctx, tenant, head, { passages, stemmer })
      if (!index) await deleteSnapshot(ctx.db, tenant, head.stamp)
      count(ctx, index ? 'loaded' : 'rejected')
      return index
    } catch (error) {
      this.#fail(ctx, tenant, error)
      return undefined
    }
  }

  /** Stores an index that was just built, unless another one of the tenant follows within 30 seconds. */
  storeLater(ctx: Context, tenant: SnapshotTenant, index: SearchIndex): void {
    const { workspaceId, tenantId } = tenant
    const key = `${workspaceId} ${tenantId}`
    this.#pending.get(key)?.cancel()
    this.#pending.delete(key)
    if (this.#isStopped || index.entries.length < MIN_PASSAGES) return
    // An index that is evicted must not stay in memory for its snapshot.
    const reference = new WeakRef(index)
    const store = (): Promise<void> => {
      if (this.#pending.get(key) === pending) this.#pending.delete(key)
      this.#last = this.#last.then(() =>
        runForWorkspace(workspaceId, () => this.#store(ctx, tenant, reference.deref())),
      )
      return this.#last
    }
    const pending = { store, cancel: ctx.clock.after(STORE_DELAY_MS, () => void store()) }
    this.#pending.set(key, pending)
  }

  /** Stores what waits, for up to a second, and accepts nothing further. */
  async stop(): Promise<void> {
    const waiting = [...this.#pending.values()]
    for (const { cancel } of waiting) cancel()
    await settleWithin(STOP_TIMEOUT_MS, [this.#last, ...waiting.map(({ store }) => store())])
    this.#isStopped = true
  }

  /** Returns the index of a snapshot; undefined where it has another stamp or is damaged. */
  async #open(
    ctx: Context,
    tenant: SnapshotTenant,
    head: SnapshotHead,
    { passages, stemmer }: { passages: readonly IndexedPassage[]; stemmer: Stemmer },
  ): Promise<SearchIndex | undefined> {
    if (head.stamp !== (await this.#stampOf(passages))) return undefined
    const [content, { readSnapshot }] = await Promise.all([
      readParts(ctx.db, tenant, head),
      import('./format.ts'),
    ])
    try {
      const chunkSize = Math.max(MIN_CHUNK_BYTES, Math.min(MAX_CHUNK_BYTES, content.length))
      const options = { chunkSize, maxOutputLength: MAX_RAW_BYTES }
      const bytes = await decompress(content, options)
      return await runInSlices(readSnapshot(bytes, passages, stemmer))
    } catch (error) {
      const { tenantId } = tenant
      ctx.log.warn(
        { event: 'knowledge.snapshot_damaged', tenant: tenantId, err: error },
        'damaged snapshot of a search index was deleted',
      )
      return undefined
    }
  }

  async #store(
    ctx: Context,
    tenant: SnapshotTenant,
    index: SearchIndex | undefined,
  ): Promise<void> {
    if (!index || this.#isStopped) return
    try {
      const stamp = await this.#stampOf(index.entries)
      const known = await findSnapshot(ctx.db, tenant)
      if (known?.stamp === stamp) return
      const content = await compress(index)
      await assertRoom(ctx, content.length)
      const storedAt = ctx.now()
      const isStored = await transaction(ctx, (tx) =>
        replaceSnapshot(tx.db, tenant, { stamp, content, storedAt }),
      )
      if (isStored) await evictSnapshots(ctx.db, MAX_TOTAL_BYTES)
      count(ctx, isStored ? 'stored' : 'outdated')
      this.#isFailing = false
    } catch (error) {
      if (!this.#isStopped) this.#fail(ctx, tenant, error)
    }
  }

  async #stampOf(passages: readonly IndexedPassage[]): Promise<string> {
    return runInSlices(stampPassages(await this.#fingerprint, passages))
  }

  #fail(ctx: Context, { tenantId }: SnapshotTenant, error: unknown): void {
    count(ctx, 'failed')
    if (ctx.outage.note(error) || this.#isFailing) return
    this.#isFailing = true
    ctx.log.warn(
      { event: 'knowledge.snapshot_failed', tenant: tenantId, err: error },
      'snapshot of a search index failed; further failures are counted alone',
    )
  }
}

function count(ctx: Context, result: SnapshotResult): void {
  searchMetrics(ctx.metrics).snapshots[result].add()
}

/** Compresses on other threads, a piece at a time, with a checksum that is verified when it is read. */
async function compress(index: SearchIndex): Promise<Buffer> {
  const { writeSnapshot } = await import('./format.ts')
  const zstd = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
  const pieces: Buffer[] = []
  await pipeline(writeSnapshot(index), zstd, async (compressed: AsyncIterable<Buffer>) => {
    for await (const piece of compressed) pieces.push(piece)
  })
  return Buffer.concat(pieces)
}

/**
 * Throws where a snapshot is too large, or would take the last room of the embedded database's disk: SQLite
 * rolls back the commits of others with the one that finds the disk full.
 */
async function assertRoom({ config }: Context, bytes: number): Promise<void> {
  if (bytes > MAX_BYTES) throw new Error(`The snapshot takes ${bytes} bytes.`)
  if (config.databaseUrl) return
  const { bavail, bsize } = await statfs(config.dataDir)
  if (bavail * bsize < bytes + MIN_FREE_BYTES) throw new Error('The disk is nearly full.')
}
