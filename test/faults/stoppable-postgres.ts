import { execFile } from 'node:child_process'
import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { startPostgres, userForPostgres } from '../services/postgres.ts'

const execute = promisify(execFile)

/** A Postgres of its own, which is stopped and started while the product runs. */
export interface StoppablePostgres {
  /** An empty database, as the product's role. */
  url: string
  data: string
  query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>
  stop(): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
}

/** Starts a server in `folder`, with a database for the product. */
export async function startStoppablePostgres(folder: string): Promise<StoppablePostgres> {
  const program = process.env.TEST_POSTGRES_BIN ?? 'postgres'
  const server = await startPostgres(program, folder)
  const url = server.url.replace(/\/postgres$/, '/product')
  const data = join(folder, 'postgres')
  await ask(server.url, 'create database product')
  const control = join(dirname(await realpath(program)), 'pg_ctl')
  const user = await userForPostgres()
  const run = async (...words: string[]) => {
    const log = join(data, 'control.log')
    await execute(control, [...words, '-D', data, '-l', log, '-w'], { ...user, cwd: data })
  }
  return {
    url,
    data,
    query: (text) => ask(url, text),
    stop: () => run('stop', '-m', 'fast'),
    // A restart has the options of the first start.
    start: () => run('restart', '-m', 'fast'),
    remove: () => run('stop', '-m', 'immediate').catch(() => undefined),
  }
}

async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
