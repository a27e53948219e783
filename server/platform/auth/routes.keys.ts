import { z } from 'zod'
import { type Context, transaction } from '../../context.ts'
import { KEY_MANAGERS, MANAGERS_ONLY } from '../../http/access.ts'
import type { App } from '../../http/app-type.ts'
import { AppError, invalidFields, assertOwned } from '../../http/errors.ts'
import { PageQuery, isoTime, pageSchema } from '../../http/pagination.ts'
import { newId } from '../../lib/ids.ts'
import { toPage } from '../../lib/cursor.ts'
import { newKey } from './api-keys.ts'
import { actorOf, recordAudit } from '../audit/audit.ts'
import { allowlistOf, requireMember, scopesOf } from './authenticator.ts'
import type { Passwords } from './passwords.ts'
import { ApiKey, CreatedApiKey, NewApiKey } from '../schema.ts'
import { type KeyRow, deleteKey, findKeyOwner, insertKey, listKeys } from './store.ts'

const createKey = {
  config: { access: KEY_MANAGERS, pool: 'default' },
  schema: {
    summary: 'Create an API key, which is shown once',
    tags: ['API keys'],
    body: NewApiKey,
    response: { 201: CreatedApiKey },
  },
} as const

const readKeys = {
  config: { access: KEY_MANAGERS, pool: 'default' },
  schema: {
    summary: 'List API keys',
    tags: ['API keys'],
    querystring: PageQuery,
    response: { 200: pageSchema(ApiKey) },
  },
} as const

// Also on a plan without keys: keys of an earlier, higher plan can always be destroyed.
const destroyKey = {
  config: { access: MANAGERS_ONLY, pool: 'default' },
  schema: {
    summary: 'Delete an API key; it stops working at once',
    tags: ['API keys'],
    params: z.object({ id: z.string().max(64) }),
    response: { 204: z.null() },
  },
} as const

/** Registers the routes that manage API keys. */
export function keyRoutes(app: App, ctx: Context, { passwords }: { passwords: Passwords }): void {
  app.post('/api/v1/api-keys', createKey, async (request, reply) => {
    const caller = requireMember(request)
    const { name, scopes, ip_allowlist, expires_at } = request.body
    if ((scopes || ip_allowlist) && caller.plan !== 'enterprise') {
      throw new AppError('not_in_plan', 'Scopes and address lists need the Enterprise plan.')
    }
    const expiresAt = expires_at ?? null
    if (expiresAt !== null && expiresAt <= ctx.now()) {
      throw invalidFields([{ path: '/expires_at', message: 'must be in the future' }])
    }
    const { key, parts, prefix } = newKey()
    const row: KeyRow = {
      id: newId('key'),
      public_id: parts.publicId,
      workspace_id: caller.workspaceId,
      user_id: caller.id,
      name,
      prefix,
      secret_hash: await passwords.hash(parts.secret),
      scopes: scopes ? JSON.stringify(scopes) : null,
      ip_allowlist: ip_allowlist ? JSON.stringify(ip_allowlist) : null,
      created_at: ctx.now(),
      expires_at: expiresAt,
      last_used_at: null,
    }
    await transaction(ctx, async (tx) => {
      await insertKey(tx.db, row)
      await recordAudit(tx, caller.workspaceId, {
        actor: actorOf(request),
        action: 'api_key.created',
        subject: { type: 'api_key', id: row.id },
        details: { name, prefix, scopes: scopes ?? null, ip_allowlist: ip_allowlist ?? null },
      })
    })
    return reply.code(201).send({ ...serializeKey(row), key })
  })

  app.get('/api/v1/api-keys', readKeys, async (request) => {
    const { limit, cursor } = request.query
    const rows = await listKeys(ctx.db, requireMember(request).workspaceId, {
      limit,
      after: cursor,
    })
    return toPage(rows, limit, (row) => ({ at: row.created_at, id: row.id }), serializeKey)
  })

  app.delete('/api/v1/api-keys/:id', destroyKey, async (request, reply) => {
    const { workspaceId } = requireMember(request)
    const owner = await findKeyOwner(ctx.db, request.params.id)
    assertOwned(owner, workspaceId, 'API key')
    await transaction(ctx, async (tx) => {
      const name = await deleteKey(tx.db, workspaceId, request.params.id)
      if (name === undefined) throw new AppError('not_found', 'This API key does not exist.')
      await recordAudit(tx, workspaceId, {
        actor: actorOf(request),
        action: 'api_key.destroyed',
        subject: { type: 'api_key', id: request.params.id },
        details: { name },
      })
      tx.afterCommit.push(() => tx.streams.checkNow())
    })
    return reply.code(204).send(null)
  })
}

function serializeKey(row: KeyRow): z.infer<typeof ApiKey> {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: scopesOf(row) ?? null,
    ip_allowlist: allowlistOf(row) ?? null,
    created_at: isoTime(row.created_at),
    expires_at: row.expires_at === null ? null : isoTime(row.expires_at),
    last_used_at: row.last_used_at === null ? null : isoTime(row.last_used_at),
  }
}
