import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { unzipSync } from 'fflate'
import { thisMachine } from '../services/machine.ts'
import { startServer } from '../services/server.ts'

const run = promisify(execFile)
/** Debian's packages; none of them starts a database. */
const PACKAGES = [
  'mariadb-server-core',
  'mariadb-client-core',
  'php-mysql',
  'wordpress',
  'wordpress-theme-twentytwentythree',
]
const WORDPRESS = '/usr/share/wordpress'
const CONTENT = '/var/lib/wordpress/wp-content'

/** WordPress of Debian in a throw-away folder, with a database of its own, not installed yet. */
export interface WordPressSite {
  url: string
  /** Puts the files of a plugin's ZIP where WordPress looks for plugins. */
  addPlugin(zip: string): Promise<void>
  /** Returns the rows of a statement, fields separated by tabs. */
  query(sql: string): Promise<string[]>
  stop(): Promise<void>
}

/** Starts PHP's own web server and MariaDB on a socket; both end with `stop`. */
export async function startWordPress(): Promise<WordPressSite> {
  if (!existsSync(join(WORDPRESS, 'wp-load.php')) || !existsSync('/usr/sbin/mariadbd')) {
    const isInstalled = await thisMachine.install(PACKAGES)
    if (!isInstalled) throw new Error(`Install the packages ${PACKAGES.join(', ')}.`)
  }
  const folder = await mkdtemp(join(tmpdir(), 'wordpress-'))
  const pages = join(folder, 'pages')
  const socket = join(folder, 'db.sock')
  await cp(WORDPRESS, pages, { recursive: true, dereference: true })
  await cp(CONTENT, join(pages, 'wp-content'), { recursive: true, dereference: true })
  const database = await startMariaDb(folder, socket)
  const query = async (sql: string) => {
    const args = ['--no-defaults', '--user=root', `--socket=${socket}`, '--batch', '-N', '-e', sql]
    const { stdout } = await run('mariadb', args)
    return stdout.split('\n').filter(Boolean)
  }
  await query('create database wordpress character set utf8mb4')
  await writeFile(join(pages, 'wp-config.php'), configuration(socket))
  const web = await startServer({
    title: 'WordPress',
    command: process.env['TEST_PHP'] ?? 'php',
    args: (port) => ['-d', 'display_errors=1', '-S', `127.0.0.1:${port}`, '-t', pages],
    url: (port) => `http://127.0.0.1:${port}`,
    ready: /Development Server .* started/,
    stopSignal: 'SIGTERM',
    options: { cwd: pages },
  })
  return {
    url: web.url,
    query,
    async addPlugin(zip) {
      const files = unzipSync(await readFile(zip))
      for (const [name, bytes] of Object.entries(files)) {
        const file = join(pages, 'wp-content/plugins', name)
        await mkdir(dirname(file), { recursive: true })
        await writeFile(file, bytes)
      }
    },
    async stop() {
      await web.stop()
      await database.stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function startMariaDb(folder: string, socket: string) {
  const data = join(folder, 'database')
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? ['--user=root'] : []
  await run('mariadb-install-db', [
    '--no-defaults',
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    ...user,
  ])
  return startServer({
    title: 'MariaDB',
    command: '/usr/sbin/mariadbd',
    args: () => [
      '--no-defaults',
      `--datadir=${data}`,
      `--socket=${socket}`,
      '--skip-networking',
      '--innodb-flush-log-at-trx-commit=0',
      `--pid-file=${join(folder, 'db.pid')}`,
      ...user,
    ],
    url: () => '',
    ready: /ready for connections/,
    stopSignal: 'SIGTERM',
    options: { cwd: folder },
  })
}

/** WordPress asks nobody outside, and starts no job while a page is tested. */
function configuration(socket: string): string {
  const keys = ['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'].flatMap((name) =>
    ['KEY', 'SALT'].map(
      (kind) => `define('${name}_${kind}', '${randomBytes(24).toString('hex')}');`,
    ),
  )
  return `<?php
define('DB_NAME', 'wordpress');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:${socket}');
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
define('WP_DEBUG', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('WP_ACCESSIBLE_HOSTS', '127.0.0.1');
define('DISABLE_WP_CRON', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
define('FS_METHOD', 'direct');
${keys.join('\n')}
$table_prefix = 'wp_';
defined('ABSPATH') || define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`
}
