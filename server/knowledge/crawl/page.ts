import { createHash } from 'node:crypto'
import { type Context, type Transaction, transaction } from '../../context.ts'
import { writePassages } from '../documents/documents.ts'
import type { Job } from '../documents/job-queue.ts'
import { findCapacityProblem } from '../documents/limits.ts'
import type { ParsedFile } from '../parsers/parse.ts'
import type { ParserPool } from '../parsers/pool.ts'
import { hasNoIndex, type Robots } from './robots.ts'
import { MAX_FILE_BYTES } from '../schema.ts'
import {
  type JobDocument,
  lockKnowledge,
  replacePassages,
  bumpKnowledgeVersion,
  updateDocument,
} from '../documents/store.ts'
import { FetchError } from './fetch-error.ts'
import { scheduleNextSync } from './schedule.ts'
import type { Fetcher } from './fetcher.ts'

const MAX_PAGE_BYTES = 2_000_000
const MAX_TITLE_LENGTH = 300

/** Dependencies of a sync. */
export interface CrawlDeps {
  fetcher: Fetcher
  robots: Robots
  parser: ParserPool
  signal: AbortSignal
}

/** Result of a fetch of a page. */
export type PageResult =
  | { kind: 'unchanged' }
  | {
      kind: 'fetched'
      document: ParsedFile
      bytes: number
      fingerprint: string
      etag: string | null
      lastModified: string | null
      /** The page's canonical URL, or its URL after redirects, if it differs from the document's. */
      canonical: string | undefined
    }
  /** The page must not or cannot be fetched: its passages are dropped. */
  | { kind: 'permanent'; problem: string }
  /** A retry may succeed: the passages of the last sync are retained. */
  | { kind: 'transient'; problem: string }

/** Runs the job of a single page: fetches the page, saves the result and schedules the next sync. */
export async function syncPage(
  ctx: Context,
  job: Job,
  row: JobDocument,
  deps: CrawlDeps,
): Promise<void> {
  const outcome = await fetchPage(deps, row)
  await transaction(ctx, async (tx) => {
    await lockKnowledge(tx.db, row.workspace_id, row.tenant_id)
    // The result of a worker that lost its lease is dropped.
    if (await scheduleNextSync(tx, job, row, outcome.kind === 'transient'))
      await savePage(tx, row, outcome)
  })
}

/**
 * Fetches and parses a page, after robots.txt and its noindex directives. `checkUrl` may refuse a URL of
 * the redirect chain with a FetchError. Failures are returned, not thrown.
 */
export async function fetchPage(
  { fetcher, robots, parser, signal }: CrawlDeps,
  row: JobDocument,
  checkUrl: (url: URL) => void = () => undefined,
): Promise<PageResult> {
  try {
    const fetched = await fetcher.get(row.url ?? '', {
      signal,
      maxBytes: (start) =>
        /^(?:%PDF-|PK)/.test(start.toString('latin1', 0, 5)) ? MAX_FILE_BYTES : MAX_PAGE_BYTES,
      etag: row.etag,
      lastModified: row.last_modified,
      async checkUrl(url) {
        checkUrl(url)
        await robots.assertAllowed(url)
      },
    })
    if (hasNoIndex(fetched.robots)) return NOINDEX
    if (fetched.status === 304) return { kind: 'unchanged' }
    const { bytes, charset, etag, lastModified, url } = fetched
    const result = await parser.parse({ bytes, charset, title: row.title, role: 'page' })
    const directives = 'document' in result ? result.document.directives : result.directives
    if (hasNoIndex(directives?.robots ?? '')) return NOINDEX
    if ('problem' in result) return { kind: 'permanent', problem: result.problem }
    const { document } = result
    const fingerprint = hashDocument(document)
    if (fingerprint === row.fingerprint) return { kind: 'unchanged' }
    const declared =
      directives?.canonical === undefined ? url : URL.parse(directives.canonical, url)
    const canonical = declared && declared.href !== row.url ? declared.href : undefined
    return {
      kind: 'fetched',
      document,
      bytes: bytes.length,
      fingerprint,
      etag,
      lastModified,
      canonical,
    }
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    return { kind: error.kind, problem: error.message }
  }
}

const NOINDEX: PageResult = {
  kind: 'permanent',
  problem: 'The page asks not to be found (noindex). Allow it, or paste its text.',
}

function hashDocument({ title, passages }: ParsedFile): string {
  return createHash('sha256')
    .update(JSON.stringify([title, passages]))
    .digest('base64url')
}

/** Saves the result of a fetch: passages, state and knowledge version, in the given transaction. */
export async function savePage(
  tx: Transaction,
  row: JobDocument,
  outcome: PageResult,
): Promise<void> {
  const id = { id: row.id, workspaceId: row.workspace_id }
  const now = tx.now()
  const dated = { synced_at: now, updated_at: now }
  if (outcome.kind === 'unchanged') {
    await updateDocument(tx.db, id, { synced_at: now, state: 'ready', error: null })
    return
  }
  if (outcome.kind === 'transient') {
    const hasText = row.passage_count > 0
    const error = hasText
      ? `It could not be read again, so answers use what was read before: ${outcome.problem}`
      : outcome.problem
    await updateDocument(tx.db, id, { ...dated, state: hasText ? 'ready' : 'failed', error })
    return
  }
  if (outcome.kind === 'permanent') {
    await dropPassages(tx, row, outcome.problem)
    return
  }
  const { document, bytes, fingerprint, etag, lastModified } = outcome
  const tenant = { workspaceId: row.workspace_id, tenantId: row.tenant_id }
  const more = {
    passages: document.passages.length - row.passage_count,
    bytes: bytes - row.bytes,
  }
  const problem = await findCapacityProblem(tx, tenant, more)
  if (problem !== undefined) {
    await dropPassages(tx, row, problem)
    return
  }
  await updateDocument(tx.db, id, {
    ...dated,
    title: pageTitle(row, document.title),
    state: 'ready',
    error: null,
    passage_count: document.passages.length,
    bytes,
    fingerprint,
    etag,
    last_modified: lastModified,
  })
  await writePassages(tx, row, document.passages)
}

async function dropPassages(tx: Transaction, row: JobDocument, problem: string): Promise<void> {
  const id = { id: row.id, workspaceId: row.workspace_id }
  const now = tx.now()
  await updateDocument(tx.db, id, {
    state: 'failed',
    error: problem,
    passage_count: 0,
    bytes: 0,
    fingerprint: null,
    etag: null,
    last_modified: null,
    synced_at: now,
    updated_at: now,
  })
  if (row.passage_count === 0) return
  await replacePassages(tx.db, id, [])
  await bumpKnowledgeVersion(tx.db, row.workspace_id, row.tenant_id)
}

/** Returns the page's own title, unless a person gave the document one. */
function pageTitle(row: JobDocument, own: string | undefined): string {
  const isDefaultTitle = row.parent_id !== null || row.title === row.url
  if (!isDefaultTitle || !own) return row.title
  return [...own].slice(0, MAX_TITLE_LENGTH).join('')
}
