import type { Context } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { isoTime } from '../http/pagination.ts'
import { encodeCursor } from '../lib/cursor.ts'
import { loadDocument, readContent } from '../knowledge/documents/load-document.ts'
import { listReadyDocuments } from '../knowledge/documents/store.ready.ts'
import type { UserCaller } from '../platform/auth/authenticator.ts'
import { readCursor } from './prompts.ts'
import type { McpOffer } from './serve.ts'

const PAGE = 100
const ADDRESS = /^sohbet:\/\/(?<tenant>[a-z0-9-]{3,40})\/(?<document>doc_\w{1,60})$/

/** Kinds whose text is kept as it was written; files and pages are read as plain text. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  markdown: 'text/markdown',
  html: 'text/html',
}

/** Offers the documents of all sites of the workspace. */
export function offerDocuments(
  ctx: Context,
  caller: UserCaller,
): NonNullable<McpOffer['resources']> {
  return {
    template: {
      uriTemplate: 'sohbet://{tenant_id}/{doc_id}',
      name: 'document',
      description: 'A document from which the assistant of a site answers',
    },
    async list(cursor) {
      const after = cursor === undefined ? '' : readCursor(cursor)
      const page = { after, limit: PAGE + 1 }
      const rows = await listReadyDocuments(ctx.db, caller.workspaceId, page)
      const shown = rows.slice(0, PAGE)
      const last = shown.at(-1)
      return {
        resources: shown.map((row) => ({
          uri: `sohbet://${row.tenant_id}/${row.id}`,
          name: row.title,
          mimeType: mediaTypeOf(row.kind),
          size: row.bytes,
          annotations: { lastModified: isoTime(row.updated_at) },
        })),
        ...(last && rows.length > PAGE ? { nextCursor: encodeCursor({ at: 0, id: last.id }) } : {}),
      }
    },
    async read(uri) {
      const { tenant: tenant_id, document: doc_id } = ADDRESS.exec(uri)?.groups ?? {}
      if (tenant_id === undefined || doc_id === undefined) {
        throw new AppError('not_found', 'Use an address like sohbet://{tenant_id}/{doc_id}.')
      }
      const row = await loadDocument(ctx, caller, { tenant_id, doc_id })
      const text = await readContent(ctx, row)
      return { contents: [{ uri, mimeType: mediaTypeOf(row.kind), text }] }
    },
  }
}

function mediaTypeOf(kind: string): string {
  return MEDIA_TYPES[kind] ?? 'text/plain'
}
