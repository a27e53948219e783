import { Redis } from 'ioredis'
import pg from 'pg'
import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../helpers/databases.ts'

describeOnBothDatabases('a test', (database) => {
  test('gets a database of its own each time it asks', async () => {
    const first = await database.createEmpty()
    const second = await database.createEmpty()
    expect(first.dataDir).not.toBe(second.dataDir)
    if (database.kind === 'sqlite') return
    expect(first.databaseUrl).not.toBe(second.databaseUrl)
    const client = new pg.Client({ connectionString: first.databaseUrl })
    await client.connect()
    const { rows } = await client.query(
      "select (select count(*)::int from pg_tables where schemaname = 'public') as tables, usesuper, usebypassrls from pg_user where usename = current_user",
    )
    await client.end()
    expect(rows).toEqual([{ tables: 0, usesuper: false, usebypassrls: false }])
  })
})

test('gets a Redis-compatible server', async () => {
  const redis = new Redis(process.env.TEST_REDIS_URL ?? '', { maxRetriesPerRequest: 0 })
  expect(await redis.ping()).toBe('PONG')
  redis.disconnect()
})
