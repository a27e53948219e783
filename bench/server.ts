import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../test/services/free-port.ts'

const ROOT = join(import.meta.dirname, '..')
const OPERATOR_TOKEN = 'operator-token-for-benchmarks'

/** Builds the widget and the panel where a clone has no build yet. Throws when the build fails. */
export function ensureBuilt(): void {
  const isBuilt = ['widget', 'panel'].every((name) => existsSync(join(ROOT, 'dist', name)))
  if (!isBuilt) execFileSync('npm', ['run', 'build'], { cwd: ROOT, stdio: 'inherit' })
}

/** Starts the product of a checkout like `npm start`, in its own process and without rate limits. */
export async function startServer(
  settings: Record<string, string>,
  root = ROOT,
): Promise<{ url: string; server: ChildProcess; stop: () => Promise<void> }> {
  const port = await freePort()
  const dataDir = await mkdtemp(join(tmpdir(), 'sohbet-bench-'))
  const server = spawn(
    process.execPath,
    ['--max-semi-space-size=32', join(root, 'server/main.ts')],
    {
      cwd: dataDir,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        PORT: String(port),
        DATA_DIR: dataDir,
        SECRET_KEY: 'a-secret-key-for-benchmarks',
        OPERATOR_TOKEN,
        SEED: 'none',
        LOG_LEVEL: 'error',
        LIMIT_AUTH: '0',
        LIMIT_MESSAGE: '0',
        LIMIT_DEFAULT: '0',
        LIMIT_STREAMS: '0',
        ...settings,
      },
    },
  )
  const url = `http://127.0.0.1:${port}`
  await answering(`${url}/health/ready`)
  return {
    url,
    server,
    async stop() {
      server.kill()
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** Creates a workspace with ample credits; returns its owner's token. */
export async function openWorkspace(
  url: string,
  { plan = 'enterprise', name = 'bench' }: { plan?: string; name?: string } = {},
): Promise<string> {
  const email = ownerOf(name)
  const password = 'a long password'
  await post(`${url}/api/v1/operator/workspaces`, OPERATOR_TOKEN, {
    name,
    plan,
    locale: 'tr',
    owner: { email, name: 'Owner', password },
    monthly_credits: 1_000_000_000,
  })
  const { access_token } = await post(`${url}/api/v1/auth/token`, '', { email, password })
  return access_token ?? ''
}

/** The address of a workspace's owner. */
export const ownerOf = (name = 'bench'): string => `owner@${name}.example`

/** Posts JSON and returns the parsed response. Throws for any status but 2xx. */
export async function post(
  url: string,
  token: string | undefined,
  body: object,
): Promise<{ access_token?: string; key?: string; session_id?: string }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url}: ${text}`)
  const answer: { access_token?: string; key?: string; session_id?: string } = JSON.parse(text)
  return answer
}

const TICKS_PER_MS = 0.1

/** Returns the processor time of a process, from `/proc`. */
export function processorMs(server: ChildProcess): number {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_MS
}

/** Returns the resident memory of a process. */
export function residentMegabytes(server: ChildProcess): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))
  return Number(match?.[1] ?? 0) / 1_000
}

/** Resolves once a server responds. */
export async function answering(url: string): Promise<void> {
  for (let tries = 0; tries < 800; tries += 1) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${url} does not answer.`)
}
