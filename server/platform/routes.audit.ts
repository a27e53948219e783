import type { Context } from '../context.ts'
import { MANAGERS_OR_UNSCOPED_KEYS } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { PageQuery, pageSchema } from '../http/pagination.ts'
import { toPage } from '../lib/cursor.ts'
import { serializeAuditEntry } from './audit/audit.ts'
import { requireMember } from './auth/authenticator.ts'
import { AuditEntry } from './schema.ts'
import { listAudit } from './audit/store.ts'

const list = {
  config: { access: MANAGERS_OR_UNSCOPED_KEYS, pool: 'default' },
  schema: {
    summary: 'List the audit log, newest first',
    tags: ['Members'],
    querystring: PageQuery,
    response: { 200: pageSchema(AuditEntry) },
  },
} as const

/** The audit log of a workspace: logins, members, keys, settings. */
export function auditRoutes(app: App, ctx: Context): void {
  app.get('/api/v1/audit', list, async (request) => {
    const { limit, cursor } = request.query
    const rows = await listAudit(ctx.db, requireMember(request).workspaceId, {
      limit,
      after: cursor,
    })
    return toPage(rows, limit, (row) => ({ at: row.created_at, id: row.id }), serializeAuditEntry)
  })
}
