import { z } from 'zod'
import type { Context } from '../context.ts'
import { PageQuery } from '../http/pagination.ts'
import { toPage } from '../lib/cursor.ts'
import { LeadFilter } from './schema.ts'
import { serializeManagedLead } from './serialize.ts'
import { type LeadListFilter as StoreFilter, listLeads } from './store.ts'

export const LeadsFilter = z.strictObject(LeadFilter)
export const LeadsQuery = PageQuery.extend(LeadFilter)

/** Returns a page of a workspace's leads, newest first. */
export async function readLeads(
  ctx: Context,
  workspaceId: string,
  query: z.infer<typeof LeadsQuery>,
) {
  const { limit, cursor } = query
  const rows = await listLeads(ctx.db, workspaceId, { ...filterOf(query), limit, after: cursor })
  return toPage(rows, limit, (row) => ({ at: row.captured_at, id: row.id }), serializeManagedLead)
}

/** Returns the filter of a query, with times in milliseconds. */
export function filterOf({
  tenant_id,
  source,
  status,
  from,
  to,
  q,
}: z.infer<typeof LeadsFilter>): StoreFilter {
  return {
    tenantId: tenant_id,
    source,
    status,
    from: from === undefined ? undefined : Date.parse(from),
    to: to === undefined ? undefined : Date.parse(to),
    text: q,
  }
}
