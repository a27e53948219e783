import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../services/free-port.ts'
import type { DatabasePlace } from '../databases.ts'

/** PgBouncer in front of the server of the tests' databases. */
export interface PgBouncer {
  /** The same database, through PgBouncer. */
  placeBehind(place: DatabasePlace): DatabasePlace
  stop(): Promise<void>
}

/** Starts PgBouncer in transaction mode, with three sessions for a database. Its settings are in `dataDir`. */
export async function startPgBouncer({ dataDir, databaseUrl }: DatabasePlace): Promise<PgBouncer> {
  const { hostname, port, username, password } = new URL(databaseUrl ?? '')
  const file = join(dataDir, 'pgbouncer.ini')
  const listenPort = await freePort()
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${port} user=${username} password=${password}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listenPort}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 3',
    // The program refuses to run as root.
    ...(process.getuid?.() === 0 ? ['user = nobody'] : []),
  ]
  await writeFile(file, lines.join('\n'))
  const child = spawn(process.env.TEST_PGBOUNCER ?? 'pgbouncer', [file], { stdio: 'pipe' })
  const ended = once(child, 'exit')
  const up = Promise.withResolvers<void>()
  let printed = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (printed.includes('process up')) up.resolve()
  })
  void ended.then(() => up.reject(new Error(`PgBouncer ended: ${printed}`)))
  await up.promise
  return {
    placeBehind(place) {
      const { pathname } = new URL(place.databaseUrl ?? '')
      return {
        ...place,
        databaseUrl: `postgres://${username}@127.0.0.1:${listenPort}${pathname}`,
      }
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
