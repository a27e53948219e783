import { type Context, type Transaction, transaction } from '../../context.ts'
import { newId } from '../../lib/ids.ts'
import { remainingCapacity } from '../documents/limits.ts'
import { savePage, type PageResult, fetchPage, type CrawlDeps } from './page.ts'
import { type Job, knowledgeJobs } from '../documents/job-queue.ts'
import { scheduleNextSync } from './schedule.ts'
import { walkSitemap, type SitemapListing, MAX_PAGES, assertSameSite } from './sitemap-walker.ts'
import {
  findJobDocument,
  type JobDocument,
  lockKnowledge,
  bumpKnowledgeVersion,
  updateDocument,
} from '../documents/store.ts'
import { deletePages, insertPages, listPages } from './store.ts'
import { FetchError } from './fetch-error.ts'

/** One turn of a long crawl; others have theirs before it goes on. */
const MAX_TURN_MS = 2 * 60_000
const CRAWL_TIMEOUT_MS = 60 * 60_000
const MAX_BYTES_PER_TURN = 50_000_000
const AT_ONCE = 2
/** So many are written together: every commit makes the index anew at the next question. */
const PAGES_PER_COMMIT = 20
const MAX_UNSAVED_MS = 5_000
/** After so many in a row without an answer, the site is down. */
const MAX_FAILURES = 5
const LEASE_MS = 60_000

type ExistingPage = { row: JobDocument; outcome: PageResult }

/**
 * Reads the pages that a sitemap names: new ones are added, those that it names no more are
 * forgotten. A crawl takes as many turns as it needs; after a crash it goes on where it was.
 */
export async function syncSitemap(
  ctx: Context,
  job: Job,
  row: JobDocument,
  tools: CrawlDeps,
): Promise<void> {
  const startedAt = job.started_at ?? ctx.now()
  let listing: SitemapListing
  try {
    listing = await walkSitemap(tools, row.url ?? '')
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    await endCrawl(ctx, job, row, { problem: error.message, isFailed: true })
    return
  }
  if (!(await reconcile(ctx, { job, startedAt }, row, listing))) return
  const pages = await listPages(ctx.db, { id: row.id, workspaceId: row.workspace_id })
  // In the sitemap's order: sites name first what matters most.
  const placeOf = new Map(listing.urls.map((url, at) => [url, at]))
  const due = pages
    .filter((page) => (page.synced_at ?? -1) < startedAt)
    .toSorted((a, b) => (placeOf.get(a.url ?? '') ?? 0) - (placeOf.get(b.url ?? '') ?? 0))
  const crawl = new Crawl(ctx, job, row, tools, new Set(listing.urls))
  const end = await crawl.read(due)
  if (end === 'lost') return
  const isLate = ctx.now() - startedAt > CRAWL_TIMEOUT_MS
  if (end === 'more' && !isLate) {
    await knowledgeJobs.reschedule(ctx.db, job, { at: ctx.now(), attempts: 0 })
    return
  }
  await endCrawl(ctx, job, row, {
    problem: crawlNote(listing, end, isLate),
    isFailed: end === 'down',
  })
}

function crawlNote(listing: SitemapListing, end: CrawlEnd, isLate: boolean): string | null {
  if (end === 'down') return 'The site stopped answering; the rest is read later.'
  if (isLate) return 'The site is too slow to be read whole; the rest is read next time.'
  if (listing.urls.length === 0) return 'The sitemap names no page of its own site.'
  return listing.isCut ? `Only the first ${MAX_PAGES} pages of the sitemap are read.` : null
}

/** Adds what a sitemap names now, and forgets what it names no more; false when the job is not ours. */
function reconcile(
  ctx: Context,
  { job, startedAt }: { job: Job; startedAt: number },
  row: JobDocument,
  { urls }: SitemapListing,
): Promise<boolean> {
  const place = { workspaceId: row.workspace_id, tenantId: row.tenant_id }
  return transaction(ctx, async (tx) => {
    const room = await remainingCapacity(tx, place)
    const lease = tx.now() + LEASE_MS
    if (!(await knowledgeJobs.renew(tx.db, job, lease, { started_at: startedAt }))) return false
    const known = await listPages(tx.db, { id: row.id, workspaceId: row.workspace_id })
    const named = new Set(urls)
    const removed = known.filter(({ url }) => !named.has(url ?? ''))
    await deletePages(
      tx.db,
      row.workspace_id,
      removed.map(({ id }) => id),
    )
    if (removed.some((page) => page.passage_count > 0)) {
      await bumpKnowledgeVersion(tx.db, row.workspace_id, row.tenant_id)
    }
    const have = new Set(known.map(({ url }) => url))
    const added = urls
      .filter((url) => !have.has(url))
      .slice(0, Math.max(0, room.documents + removed.length))
    await insertPages(
      tx.db,
      row,
      added.map((url) => ({ id: newId('doc'), url })),
      tx.now(),
    )
    return true
  })
}

/** `more`: pages are left for another turn. `lost`: the job is no longer ours. */
type CrawlEnd = 'done' | 'more' | 'down' | 'lost'

class Crawl {
  readonly #ctx: Context
  readonly #job: Job
  readonly #row: JobDocument
  readonly #tools: CrawlDeps
  readonly #urls: ReadonlySet<string>
  #unwritten: ExistingPage[] = []
  #writtenAt: number
  #failures = 0
  #bytes = 0
  #isLost = false

  constructor(
    ctx: Context,
    job: Job,
    row: JobDocument,
    tools: CrawlDeps,
    urls: ReadonlySet<string>,
  ) {
    this.#ctx = ctx
    this.#job = job
    this.#row = row
    this.#tools = tools
    this.#urls = urls
    this.#writtenAt = ctx.now()
  }

  async read(due: JobDocument[]): Promise<CrawlEnd> {
    const startedAt = this.#ctx.now()
    const delay = await this.#tools.robots.delayOf(new URL(this.#row.url ?? ''))
    const waiting = [...due]
    const isOver = () =>
      this.#isLost ||
      this.#failures >= MAX_FAILURES ||
      this.#bytes > MAX_BYTES_PER_TURN ||
      this.#ctx.now() - startedAt > MAX_TURN_MS
    const readSome = async (): Promise<void> => {
      for (let page = waiting.shift(); page; page = waiting.shift()) {
        await this.#readOne(page)
        if (isOver()) return
        if (delay > 0) await this.#wait(delay)
      }
    }
    await Promise.all(Array.from({ length: delay > 0 ? 1 : AT_ONCE }, readSome))
    await this.#write()
    if (this.#isLost) return 'lost'
    if (this.#failures >= MAX_FAILURES) return 'down'
    return waiting.length > 0 ? 'more' : 'done'
  }

  async #readOne(page: JobDocument): Promise<void> {
    const root = new URL(this.#row.url ?? '')
    const outcome = this.#withoutCopies(
      await fetchPage(this.#tools, page, (url) => assertSameSite(root, url)),
    )
    this.#failures = outcome.kind === 'later' ? this.#failures + 1 : 0
    if (outcome.kind === 'read') this.#bytes += outcome.bytes
    this.#unwritten.push({ row: page, outcome })
    const isLong = this.#ctx.now() - this.#writtenAt > MAX_UNSAVED_MS
    if (this.#unwritten.length >= PAGES_PER_COMMIT || isLong) await this.#write()
  }

  /** Two addresses of one page that is named by both are read once. */
  #withoutCopies(outcome: PageResult): PageResult {
    const canonical = outcome.kind === 'read' ? outcome.canonical : undefined
    if (canonical === undefined || !this.#urls.has(canonical)) return outcome
    return { kind: 'gone', problem: `This is a copy of ${canonical}, which is read by itself.` }
  }

  async #write(): Promise<void> {
    const batch = this.#unwritten
    this.#unwritten = []
    this.#writtenAt = this.#ctx.now()
    if (batch.length === 0) return
    await transaction(this.#ctx, async (tx) => {
      await lockKnowledge(tx.db, this.#row.workspace_id, this.#row.tenant_id)
      if (await knowledgeJobs.renew(tx.db, this.#job, tx.now() + LEASE_MS)) {
        for (const { row, outcome } of batch) await this.#savePage(tx, row, outcome)
      } else this.#isLost = true
    })
  }

  /** A page that a person removed meanwhile stays removed. */
  async #savePage(tx: Transaction, page: JobDocument, outcome: PageResult): Promise<void> {
    const job = { document_id: page.id, workspace_id: page.workspace_id }
    if (await findJobDocument(tx.db, job)) await savePage(tx, page, outcome)
  }

  async #wait(ms: number): Promise<void> {
    const { signal } = this.#tools
    await new Promise<void>((done) => {
      const cancel = this.#ctx.clock.after(ms, done)
      signal.addEventListener(
        'abort',
        () => {
          cancel()
          done()
        },
        { once: true },
      )
    })
    signal.throwIfAborted()
  }
}

/** Writes how a crawl ended: ready with whatever pages could be read, and when the next one is. */
async function endCrawl(
  ctx: Context,
  job: Job,
  row: JobDocument,
  { problem, isFailed }: { problem: string | null; isFailed: boolean },
): Promise<void> {
  const id = { id: row.id, workspaceId: row.workspace_id }
  await transaction(ctx, async (tx) => {
    await lockKnowledge(tx.db, row.workspace_id, row.tenant_id)
    if (!(await scheduleNextSync(tx, job, row, isFailed))) return
    const pages = await listPages(tx.db, id)
    const isReady = pages.some((page) => page.passage_count > 0)
    const firstError = pages.find((page) => page.error !== null)?.error
    const unread = firstError ? `No page could be read. The first one: ${firstError}` : null
    await updateDocument(tx.db, id, {
      state: isReady ? 'ready' : 'failed',
      error: problem ?? (isReady ? null : (unread ?? 'No page could be read.')),
      synced_at: tx.now(),
      updated_at: tx.now(),
    })
  })
}
