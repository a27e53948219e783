import { createHash } from 'node:crypto'
import { type Context, type Transaction, transaction } from '../../context.ts'
import { writePassages } from '../documents/documents.ts'
import type { Job } from '../documents/job-queue.ts'
import { remainingCapacity, TOO_MANY_PASSAGES } from '../documents/limits.ts'
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

/** What a sync works with. */
export interface CrawlDeps {
  web: Fetcher
  robots: Robots
  reader: ParserPool
  signal: AbortSignal
}

/** What came of reading a page again. */
export type PageResult =
  | { kind: 'same' }
  | {
      kind: 'read'
      document: ParsedFile
      bytes: number
      fingerprint: string
      etag: string | null
      lastModified: string | null
      /** The address that the page says it has, or was found at, where that is another one. */
      canonical: string | undefined
    }
  /** It must not or cannot be read: what was read before is dropped. */
  | { kind: 'gone'; problem: string }
  /** It may be read another time: what was read before is kept. */
  | { kind: 'later'; problem: string }

/** Reads one page that a person named. */
export async function syncPage(
  ctx: Context,
  job: Job,
  row: JobDocument,
  tools: CrawlDeps,
): Promise<void> {
  const outcome = await fetchPage(tools, row)
  await transaction(ctx, async (tx) => {
    await lockKnowledge(tx.db, row.workspace_id, row.tenant_id)
    // The result of a worker that lost its lease is dropped.
    if (await scheduleNextSync(tx, job, row, outcome.kind === 'later'))
      await savePage(tx, row, outcome)
  })
}

/**
 * Reads a page, unless it says that it has not changed, or its site does not want it read.
 * `judge` may refuse more addresses of the way by throwing `Unreachable`.
 */
export async function fetchPage(
  { web, robots, reader, signal }: CrawlDeps,
  row: JobDocument,
  judge: (url: URL) => void = () => undefined,
): Promise<PageResult> {
  try {
    const fetched = await web.get(row.url ?? '', {
      signal,
      max: (start) =>
        /^(?:%PDF-|PK)/.test(start.toString('latin1', 0, 5)) ? MAX_FILE_BYTES : MAX_PAGE_BYTES,
      etag: row.etag,
      lastModified: row.last_modified,
      async judge(url) {
        judge(url)
        await robots.isAllowed(url)
      },
    })
    if (hasNoIndex(fetched.robots)) return NOT_TO_BE_FOUND
    if (fetched.status === 304) return { kind: 'same' }
    const { bytes, charset, etag, lastModified, url } = fetched
    const result = await reader.read({ bytes, charset, title: row.title, role: 'page' })
    const directives = 'document' in result ? result.document.directives : result.directives
    if (hasNoIndex(directives?.robots ?? '')) return NOT_TO_BE_FOUND
    if ('problem' in result) return { kind: 'gone', problem: result.problem }
    const { document } = result
    const fingerprint = hashDocument(document)
    if (fingerprint === row.fingerprint) return { kind: 'same' }
    const named = directives?.canonical === undefined ? url : URL.parse(directives.canonical, url)
    const canonical = named && named.href !== row.url ? named.href : undefined
    return {
      kind: 'read',
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

const NOT_TO_BE_FOUND: PageResult = {
  kind: 'gone',
  problem: 'The page asks not to be found (noindex). Allow it, or paste its text.',
}

function hashDocument({ title, passages }: ParsedFile): string {
  return createHash('sha256')
    .update(JSON.stringify([title, passages]))
    .digest('base64url')
}

/** Writes what came of reading a page: its passages, its state and the tenant's version in one commit. */
export async function savePage(
  tx: Transaction,
  row: JobDocument,
  outcome: PageResult,
): Promise<void> {
  const id = { id: row.id, workspaceId: row.workspace_id }
  const now = tx.now()
  const dated = { synced_at: now, updated_at: now }
  if (outcome.kind === 'same') {
    await updateDocument(tx.db, id, { synced_at: now, state: 'ready', error: null })
    return
  }
  if (outcome.kind === 'later') {
    const hasText = row.passage_count > 0
    const error = hasText
      ? `It could not be read again, so answers use what was read before: ${outcome.problem}`
      : outcome.problem
    await updateDocument(tx.db, id, { ...dated, state: hasText ? 'ready' : 'failed', error })
    return
  }
  if (outcome.kind === 'gone') {
    await dropPassages(tx, row, outcome.problem)
    return
  }
  const { document, bytes, fingerprint, etag, lastModified } = outcome
  const place = { workspaceId: row.workspace_id, tenantId: row.tenant_id }
  const room = await remainingCapacity(tx, place)
  if (document.passages.length - row.passage_count > room.passages) {
    await dropPassages(tx, row, TOO_MANY_PASSAGES)
    return
  }
  await updateDocument(tx.db, id, {
    ...dated,
    title: titleOf(row, document.title),
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

/** A page of a sitemap is called as it calls itself; one that was named by a person keeps that. */
function titleOf(row: JobDocument, own: string | undefined): string {
  const isOurs = row.parent_id !== null || row.title === row.url
  if (!isOurs || !own) return row.title
  return [...own].slice(0, MAX_TITLE_LENGTH).join('')
}
