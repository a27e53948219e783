import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { startServer, type Server } from './server.ts'

const execute = promisify(execFile)

/** The role of the tests: like a customer's, it can create databases and does not bypass policies. */
const ROLE = 'sohbet'

/**
 * Starts an empty PostgreSQL in `folder`. Its URL names a role that can create databases.
 * @param program the path of `postgres`; `initdb` is beside the target of its symbolic link
 * @param settings overrides of the test settings, such as `{ '--fsync': 'on' }`
 */
export async function startPostgres(
  program: string,
  folder: string,
  settings: Record<string, string> = {},
): Promise<Server> {
  const user = await userForPostgres()
  const data = join(folder, 'postgres')
  const passwordFile = join(folder, 'postgres-password')
  const password = randomBytes(16).toString('hex')
  await mkdir(data)
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (user !== undefined) {
    // That user needs access to the parent folders; the data folder is private to the user.
    await chmod(folder, 0o711)
    await chown(data, user.uid, user.gid)
    await chown(passwordFile, user.uid, user.gid)
  }
  const options = { ...user, cwd: data, env: { ...process.env, LC_ALL: 'C' } }
  await execute(
    join(dirname(await realpath(program)), 'initdb'),
    flags({
      '--pgdata': data,
      '--username': 'postgres',
      '--auth': 'scram-sha-256',
      '--pwfile': passwordFile,
      '--encoding': 'UTF8',
      '--locale': 'C',
    }),
    options,
  )
  const server = await startServer({
    title: 'PostgreSQL',
    command: program,
    args: (port) =>
      flags({
        '-D': data,
        '-p': String(port),
        '--listen_addresses': '127.0.0.1',
        '--unix_socket_directories': '',
        '--max_connections': '200',
        // Crash tests kill the product, not the database: their proof does not need fsync.
        '--fsync': 'off',
        '--synchronous_commit': 'on',
        // The server has no replicas, and its files are in memory.
        '--wal_level': 'minimal',
        '--max_wal_senders': '0',
        '--max_wal_size': '128MB',
        '--min_wal_size': '32MB',
        // The tests' role cannot end autovacuum workers, and a database in use cannot be dropped.
        '--autovacuum': 'off',
        ...settings,
      }),
    url: (port) => `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    ready: /database system is ready to accept connections/,
    stopSignal: 'SIGQUIT',
    options,
  })
  await createRole(server.url, password)
  const url = server.url.replace('//postgres:', `//${ROLE}:`)
  return { ...server, url }
}

/** Returns `--name=value` for long names, `-n value` for short ones. */
function flags(values: Record<string, string>): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    name.startsWith('--') ? [`${name}=${value}`] : [name, value],
  )
}

async function createRole(adminUrl: string, password: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    await admin.query(`create role ${ROLE} login createdb password '${password}'`)
  } finally {
    await admin.end()
  }
}

/** PostgreSQL refuses to run as root: returns another user of the system. */
export async function userForPostgres(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const user =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (user === undefined) throw new Error('PostgreSQL needs a user "postgres" or "nobody".')
  return { uid: Number(user[2]), gid: Number(user[3]) }
}
