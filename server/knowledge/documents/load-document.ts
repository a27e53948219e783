import { z } from 'zod'
import type { Context } from '../../context.ts'
import { AppError, assertOwned } from '../../http/errors.ts'
import type { UserCaller } from '../../platform/auth/authenticator.ts'
import { loadTenant, TenantPath } from './load-tenant.ts'
import { type DocumentRow, findDocument, findDocumentOwner, findPassageText } from './store.ts'

export const DocumentPath = TenantPath.extend({ doc_id: z.string().max(64) })
type DocumentPath = z.infer<typeof DocumentPath>

/** Returns a document of the caller's workspace. Throws 404 for an unknown one, 403 for a foreign one. */
export async function loadDocument(
  ctx: Context,
  caller: UserCaller,
  path: DocumentPath,
): Promise<DocumentRow> {
  const tenant = await loadTenant(ctx, caller, path.tenant_id)
  const row = await findDocument(ctx.db, tenant, path.doc_id)
  if (row) return row
  assertOwned(await findDocumentOwner(ctx.db, path.doc_id), caller.workspaceId, 'document')
  throw new AppError('not_found', 'This document does not exist at this tenant.')
}

/** Returns the text of a document: as it was pasted, or as it was read from a file or a page. */
export async function readContent(ctx: Context, row: DocumentRow): Promise<string> {
  const { id, workspace_id: workspaceId } = row
  return row.content || (await findPassageText(ctx.db, { id, workspaceId }))
}
