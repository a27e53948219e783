import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { describeOnPostgres } from '../../../helpers/databases.ts'
import {
  type TestProduct,
  type TestWorkspace,
  addVisitor,
  addWorkspace,
} from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'
import { ALWAYS_OPEN, fillWorkspace, makeKey } from './filled-workspace.ts'
import { fill, operationsOf } from './operations.ts'

/**
 * Statements that name a workspace's table and no workspace, and why they may. Everything else that
 * a route runs says whose rows it wants.
 */
const EXCUSED: Record<string, RegExp> = {
  'one row by its id, whose workspace is then compared with the caller: 404 and 403 differ':
    /^select (\*|"?workspace_id"?[^?$]*) from "?\w+"? where "?id"? = (\?|\$1)$/,
  'the same for what is in one of two tables':
    /^select workspace_id(, endpoint_id)? from (users|dead_letters) where id = \S+( and family = \S+)? union all/,
  'the same for a visitor, who is known by conversations, name or messaging app':
    /^select workspace_id from sessions where visitor_id = \S+ union select workspace_id from /,
  'who signs in is known by the e-mail address alone': /^select \* from "users" where "email" = /,
  'an endpoint, found by its workspace before, ends or sends what waits for it':
    /^(delete from "(dead_letters|deliveries)" where id in \(select id from "(dead_letters|deliveries)" where endpoint_id = |select \* from "(rules|subscriptions)" where "id" in \()/,
  'the answer to a ping, for the subscription that was pinged':
    /^update "subscriptions" set "ping_status"/,
  'members who are signed in are there, in whichever workspace': /^update presence set seen_at/,
}

const Asked = z.union([
  z.string(),
  z.looseObject({ text: z.string() }).transform(({ text }) => text),
])
const TABLES = /\b(?:from|join|update|into|using) "?([a-z_]+)"?/g
/** A condition on the workspace, or a row that says whose it is. */
const BOUND =
  /workspace_id"? (?:=|in\b|>)|(?:=|,) (?:[a-z_"]+\.)?"?workspace_id|insert into "?[a-z_]+"? \([^)]*workspace_id/

describeOnPostgres('every statement that routes run', (database) => {
  let own: TestWorkspace
  const sent = vi.spyOn(pg.Client.prototype, 'query')

  afterAll(async () => {
    sent.mockRestore()
  })
  const product = useProduct(database, {
    settings: { ALLOW_PRIVATE_TARGETS: 'true', ROLE: 'api' },
  })
  beforeAll(async () => {
    sent.mockClear()
    own = await addWorkspace(product, { tenant: ALWAYS_OPEN })
  })

  test('says whose rows it wants', async () => {
    const operations = operationsOf((await product.call('/api/v1/openapi.json')).body)
    const visitor = await addVisitor(product, own)
    const ids = await fillWorkspace(product, own, visitor)
    const key = await makeKey(product, own)
    const stranger = await addWorkspace(product)
    // Deletions come last, so that the other operations still find their objects.
    const ordered = operations.toSorted((a, b) => Number(isRemoval(a.id)) - Number(isRemoval(b.id)))
    for (const token of [stranger.token, visitor, key, own.token]) {
      for (const operation of ordered) {
        if (operation.security.length === 0 || /auth\/|\/live/.test(operation.path)) continue
        const { path, body } = fill(operation, ids)
        await product.call(path, {
          method: operation.method.toUpperCase(),
          token,
          ...(body === undefined ? {} : { body }),
        })
      }
    }
    const tables = await workspaceTables(product)
    expect(tables.size).toBeGreaterThan(10)
    const seen = new Set(sent.mock.calls.flatMap(([asked]) => statementOf(asked)))
    const unbound = [...seen].filter((text) => namesOneOf(text, tables) && !BOUND.test(text))
    const unexcused = unbound.filter(
      (text) => !Object.values(EXCUSED).some((known) => known.test(text)),
    )
    expect(unexcused, 'say which workspace, or excuse it here with a reason').toEqual([])
    expect(seen.size).toBeGreaterThan(80)
  })
})

function isRemoval(id: string): boolean {
  return id.startsWith('delete ')
}

function namesOneOf(text: string, tables: ReadonlySet<string>): boolean {
  return [...text.matchAll(TABLES)].some((match) => tables.has(match[1] ?? ''))
}

/** The tables of which each row belongs to a workspace. */
async function workspaceTables(product: TestProduct): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where column_name = 'workspace_id'`.execute(product.ctx.db)
  return new Set(rows.map(({ name }) => name))
}

/**
 * A statement as the server was given it, on one line and without the marks that say how to send it;
 * nothing for `begin` and the like.
 */
function statementOf(asked: unknown): string[] {
  const text = Asked.parse(asked).replaceAll(/\/\*.*?\*\//gs, '')
  const flat = text.replaceAll(/\s+/g, ' ').trim().toLowerCase()
  return /^(select|insert|update|delete|with)/.test(flat) ? [flat] : []
}
