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

/** Time slice of a crawl: its job is rescheduled then, behind the jobs that are due. */
const MAX_TURN_MS = 2 * 60_000
const CRAWL_TIMEOUT_MS = 60 * 60_000
const MAX_BYTES_PER_TURN = 50_000_000
const MAX_CONCURRENT_PAGES = 2
/** Pages are committed in batches: every commit invalidates the tenant's search index. */
const PAGES_PER_COMMIT = 20
const MAX_COMMIT_DELAY_MS = 5_000
/** Consecutive transient failures after which the site counts as down. */
const MAX_FAILURES = 5
const LEASE_MS = 60_000

type ExistingPage = { row: JobDocument; outcome: PageResult }

/**
 * Runs the job of a sitemap: adds and removes pages after the sitemap, then fetches those that are due.
 * A long crawl takes several runs of the job, and resumes after a crash.
 */
export async function syncSitemap(
  ctx: Context,
  job: Job,
  row: JobDocument,
  deps: CrawlDeps,
): Promise<void> {
  const startedAt = job.started_at ?? ctx.now()
  let listing: SitemapListing
  try {
    listing = await walkSitemap(deps, row.url ?? '')
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    await endCrawl(ctx, job, row, { problem: error.message, isFailed: true })
    return
  }
  if (!(await reconcile(ctx, { job, startedAt }, row, listing))) return
  const pages = await listPages(ctx.db, { id: row.id, workspaceId: row.workspace_id })
  // In the order of the sitemap: sites list their most important pages first.
  const placeOf = new Map(listing.urls.map((url, at) => [url, at]))
  const due = pages
    .filter((page) => (page.synced_at ?? -1) < startedAt)
    .toSorted((a, b) => (placeOf.get(a.url ?? '') ?? 0) - (placeOf.get(b.url ?? '') ?? 0))
  const crawl = new Crawl(ctx, job, row, deps, new Set(listing.urls))
  const end = await crawl.fetchAll(due)
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

/** Inserts new pages of a sitemap and deletes those it lists no longer; false when the lease is lost. */
function reconcile(
  ctx: Context,
  { job, startedAt }: { job: Job; startedAt: number },
  row: JobDocument,
  { urls }: SitemapListing,
): Promise<boolean> {
  const tenant = { workspaceId: row.workspace_id, tenantId: row.tenant_id }
  return transaction(ctx, async (tx) => {
    const capacity = await remainingCapacity(tx, tenant)
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
      .slice(0, Math.max(0, capacity.documents + removed.length))
    await insertPages(
      tx.db,
      row,
      added.map((url) => ({ id: newId('doc'), url })),
      tx.now(),
    )
    return true
  })
}

/** `more`: pages are left for the next run of the job. `lost`: the lease is lost. */
type CrawlEnd = 'done' | 'more' | 'down' | 'lost'

class Crawl {
  readonly #ctx: Context
  readonly #job: Job
  readonly #row: JobDocument
  readonly #deps: CrawlDeps
  readonly #urls: ReadonlySet<string>
  #pending: ExistingPage[] = []
  #committedAt: number
  #failures = 0
  #bytes = 0
  #isLeaseLost = false

  constructor(
    ctx: Context,
    job: Job,
    row: JobDocument,
    deps: CrawlDeps,
    urls: ReadonlySet<string>,
  ) {
    this.#ctx = ctx
    this.#job = job
    this.#row = row
    this.#deps = deps
    this.#urls = urls
    this.#committedAt = ctx.now()
  }

  async fetchAll(due: JobDocument[]): Promise<CrawlEnd> {
    const startedAt = this.#ctx.now()
    const delay = await this.#deps.robots.delayOf(new URL(this.#row.url ?? ''))
    const pages = [...due]
    const isOver = () =>
      this.#isLeaseLost ||
      this.#failures >= MAX_FAILURES ||
      this.#bytes > MAX_BYTES_PER_TURN ||
      this.#ctx.now() - startedAt > MAX_TURN_MS
    const fetchSome = async (): Promise<void> => {
      for (let page = pages.shift(); page; page = pages.shift()) {
        await this.#fetchOne(page)
        if (isOver()) return
        if (delay > 0) await this.#delay(delay)
      }
    }
    await Promise.all(Array.from({ length: delay > 0 ? 1 : MAX_CONCURRENT_PAGES }, fetchSome))
    await this.#commit()
    if (this.#isLeaseLost) return 'lost'
    if (this.#failures >= MAX_FAILURES) return 'down'
    return pages.length > 0 ? 'more' : 'done'
  }

  async #fetchOne(page: JobDocument): Promise<void> {
    const root = new URL(this.#row.url ?? '')
    const outcome = this.#rejectDuplicate(
      await fetchPage(this.#deps, page, (url) => assertSameSite(root, url)),
    )
    this.#failures = outcome.kind === 'transient' ? this.#failures + 1 : 0
    if (outcome.kind === 'fetched') this.#bytes += outcome.bytes
    this.#pending.push({ row: page, outcome })
    const isLong = this.#ctx.now() - this.#committedAt > MAX_COMMIT_DELAY_MS
    if (this.#pending.length >= PAGES_PER_COMMIT || isLong) await this.#commit()
  }

  /** A page that the sitemap lists under its canonical URL too is indexed once. */
  #rejectDuplicate(outcome: PageResult): PageResult {
    const canonical = outcome.kind === 'fetched' ? outcome.canonical : undefined
    if (canonical === undefined || !this.#urls.has(canonical)) return outcome
    return {
      kind: 'permanent',
      problem: `This is a copy of ${canonical}, which is read instead.`,
    }
  }

  async #commit(): Promise<void> {
    const batch = this.#pending
    this.#pending = []
    this.#committedAt = this.#ctx.now()
    if (batch.length === 0) return
    await transaction(this.#ctx, async (tx) => {
      await lockKnowledge(tx.db, this.#row.workspace_id, this.#row.tenant_id)
      if (await knowledgeJobs.renew(tx.db, this.#job, tx.now() + LEASE_MS)) {
        for (const { row, outcome } of batch) await this.#savePage(tx, row, outcome)
      } else this.#isLeaseLost = true
    })
  }

  /** Skips a page that a person removed during the crawl. */
  async #savePage(tx: Transaction, page: JobDocument, outcome: PageResult): Promise<void> {
    const job = { document_id: page.id, workspace_id: page.workspace_id }
    if (await findJobDocument(tx.db, job)) await savePage(tx, page, outcome)
  }

  async #delay(ms: number): Promise<void> {
    const { signal } = this.#deps
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

/** Saves the state of the sitemap and schedules the next sync. `ready` if any page has passages. */
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
