import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Db } from '../../server/storage/database.ts'
import { dialectOf } from '../../server/storage/dialect.ts'

/** USER_HZ, the unit of processor time in `/proc`, independent of the kernel's own tick. */
const TICKS_PER_SECOND = 100

/** Seconds of processor time of a process, from `/proc/…/stat`: see proc(5). */
interface Used {
  parent: number
  own: number
  /** Of its terminated children. */
  children: number
}

/** Returns a reader of the database server's processor time in seconds; 0 for SQLite. */
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
  // The second field, in parentheses, may contain spaces.
  const fields = line?.slice(line.lastIndexOf(')') + 2).split(' ')
  if (!fields) return undefined
  const ticks = (from: number) => Number(fields[from]) + Number(fields[from + 1])
  return {
    parent: Number(fields[1]),
    own: ticks(11) / TICKS_PER_SECOND,
    children: ticks(13) / TICKS_PER_SECOND,
  }
}
