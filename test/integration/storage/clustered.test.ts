import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Storage } from '../../../server/storage/database.ts'
import { migrate } from '../../../server/storage/migrate.ts'
import { migrations } from '../../../server/storage/migrations/list.ts'
import { openSqlite } from '../../../server/storage/sqlite.ts'

const STEP = '036-clustered'
const NOW = Date.UTC(2027, 0, 1)

let folder: string
let storage: Storage

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sohbet-migrating-'))
  storage = openSqlite(folder)
})
afterEach(async () => {
  await storage.close()
  await rm(folder, { recursive: true, force: true })
})

test('an embedded database of an earlier version keeps its ledger, holds and counts', async () => {
  const { db } = storage
  const before = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === STEP),
  )
  await migrate(db, 'sqlite', before, NOW)
  await sql`
    insert into workspaces (id, name, locale, plan, time_zone, created_at)
    values ('ws_1', 'One', 'tr', 'starter', 'Europe/Istanbul', 5)`.execute(db)
  await sql`
    insert into ledger (id, workspace_id, type, amount, source, monthly_after, addons_after,
      held_after, run_id, session_id, reference, created_at, sequence)
    values ('ldg_2', 'ws_1', 'addon', 5, 'addon', 7, 5, 0, null, null, 'r', 20, 2),
      ('ldg_1', 'ws_1', 'grant', 7, 'monthly', 7, 0, 0, null, null, null, 10, 1)`.execute(db)
  await sql`
    insert into holds (id, workspace_id, amount, from_month, session_id, created_at, lease_until)
    values ('run_1', 'ws_1', 3, 2, null, 30, 40)`.execute(db)
  await sql`
    insert into usage_days (workspace_id, kind, day, subject, runs, credits, input_tokens,
      output_tokens)
    values ('ws_1', 'day', '2027-01-01', '', 1, 2, 3, 4)`.execute(db)

  await migrate(db, 'sqlite', migrations, NOW)

  const { rows: ledger } = await sql`select id, reference, sequence from ledger`.execute(db)
  expect(ledger).toEqual([
    { id: 'ldg_1', reference: null, sequence: 1 },
    { id: 'ldg_2', reference: 'r', sequence: 2 },
  ])
  const { rows: holds } = await sql`select * from holds`.execute(db)
  expect(holds).toEqual([
    {
      id: 'run_1',
      workspace_id: 'ws_1',
      amount: 3,
      from_month: 2,
      session_id: null,
      created_at: 30,
      lease_until: 40,
      tenant_id: null,
      day: null,
    },
  ])
  const { rows: days } = await sql`select runs, credits, subject from usage_days`.execute(db)
  expect(days).toEqual([{ runs: 1, credits: 2, subject: '' }])
  const twice = sql`
    insert into ledger (id, workspace_id, type, amount, source, monthly_after, addons_after,
      held_after, reference, created_at, sequence)
    values ('ldg_3', 'ws_1', 'addon', 5, 'addon', 7, 5, 0, 'r', 20, 3)`.execute(db)
  await expect(twice).rejects.toThrow(/unique/i)
})
