import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startServer } from '../services/server.ts'

const run = promisify(execFile)

/** n8n, and the newest Node that it takes. */
const PACKAGES = ['n8n@2.8.4', `node-${process.platform}-${process.arch}@24.11.1`]
/** Otherwise it comes from an address that is no registry. */
const OVERRIDES = { xlsx: '0.18.5' }

/** A running n8n with one published workflow. */
export interface N8n {
  url: string
  stop(): Promise<void>
}

/** Installs n8n into a folder where it is not yet: 2,000 packages, 2.3 GB, minutes. */
async function install(folder: string): Promise<void> {
  if (existsSync(join(folder, 'node_modules/n8n/bin/n8n'))) return
  await mkdir(folder, { recursive: true })
  const manifest = { type: 'module', private: true, overrides: OVERRIDES }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--silent', '--save-exact']
  await run('npm', ['install', ...quiet, ...PACKAGES], { cwd: folder })
}

/**
 * Starts the n8n of `folder` on an empty database of Postgres, with `workflow` imported and published as
 * its command line does it. `secrets` are its credentials of the type "Crypto", by id.
 */
export async function startN8n(
  folder: string,
  databaseUrl: string,
  workflow: { id: string },
  secrets: Readonly<Record<string, string>>,
): Promise<N8n> {
  await install(folder)
  const home = await mkdtemp(join(tmpdir(), 'sohbet-n8n-'))
  const modules = join(folder, 'node_modules')
  const node = join(modules, `node-${process.platform}-${process.arch}/bin/node`)
  const script = join(modules, 'n8n/bin/n8n')
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const env = {
    ...process.env,
    // As the tests' own environment it would say nothing.
    NODE_ENV: 'production',
    DB_TYPE: 'postgresdb',
    DB_POSTGRESDB_HOST: hostname,
    DB_POSTGRESDB_PORT: port,
    DB_POSTGRESDB_USER: username,
    DB_POSTGRESDB_PASSWORD: password,
    DB_POSTGRESDB_DATABASE: pathname.slice(1),
    N8N_USER_FOLDER: home,
    N8N_ENCRYPTION_KEY: 'of this test',
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_DISABLE_UI: 'true',
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_COMMUNITY_PACKAGES_ENABLED: 'false',
    N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '1',
    // The workflow has no code of its own: nothing runs it.
    N8N_RUNNERS_MODE: 'external',
    N8N_RUNNERS_AUTH_TOKEN: 'of this test',
    N8N_RUNNERS_BROKER_PORT: '0',
  }
  const n8n = (...args: string[]) =>
    run(node, [script, ...args], { cwd: home, env, maxBuffer: 32_000_000 })
  const remove = () => rm(home, { recursive: true, force: true, maxRetries: 5 })
  try {
    const credentials = Object.entries(secrets).map(([id, hmacSecret]) => ({
      id,
      name: id,
      type: 'crypto',
      data: { hmacSecret },
    }))
    await writeFile(join(home, 'credentials.json'), JSON.stringify(credentials))
    await writeFile(join(home, 'workflow.json'), JSON.stringify(workflow))
    await n8n('import:credentials', '--input=credentials.json')
    await n8n('import:workflow', '--input=workflow.json')
    await n8n('publish:workflow', `--id=${workflow.id}`)
    const server = await startServer({
      title: 'n8n',
      command: '/usr/bin/env',
      args: (free) => [`N8N_PORT=${free}`, node, script, 'start'],
      url: (free) => `http://127.0.0.1:${free}`,
      // Said once the workflows listen.
      ready: /Editor is now accessible/,
      stopSignal: 'SIGTERM',
      options: { cwd: home, env },
    })
    const stop = async () => {
      await server.stop()
      await remove()
    }
    return { url: server.url, stop }
  } catch (error) {
    await remove()
    throw error
  }
}
