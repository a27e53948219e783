import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Db } from '../../server/storage/database.ts'
import { dialectOf } from '../../server/storage/dialect.ts'

/** Linux counts the processor time of processes in these, whatever the kernel's own tick is. */
const TICKS_PER_SECOND = 100

/** What a process used, from `/proc/…/stat`: see proc(5). In seconds. */
interface Used {
  parent: number
  own: number
  /** Of its children that have ended. */
  children: number
}

/** Says how much processor time the database server has used so far, in seconds; 0 if it has none. */
export async function serverClock(db: Db): Promise<() => Promise<number>> {
  if (dialectOf(db) === 'sqlite') return async () => 0
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  const parent = (await used(rows[0]?.pid ?? 0))?.parent ?? 0
  return async () => {
    const all = await Promise.all((await processes()).map(used))
    const living = all.filter((one) => one?.parent === parent)
    const gone = (await used(parent))?.children ?? 0
    return gone + living.reduce((sum, one) => sum + (one?.own ?? 0), 0)
  }
}

async function processes(): Promise<number[]> {
  const names = await readdir('/proc').catch(() => [])
  return names.filter((name) => /^\d+$/.test(name)).map(Number)
}

async function used(pid: number): Promise<Used | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The second field, in parentheses, may hold spaces.
  const fields = line?.slice(line.lastIndexOf(')') + 2).split(' ')
  if (!fields) return undefined
  const ticks = (from: number) => Number(fields[from]) + Number(fields[from + 1])
  return {
    parent: Number(fields[1]),
    own: ticks(11) / TICKS_PER_SECOND,
    children: ticks(13) / TICKS_PER_SECOND,
  }
}
