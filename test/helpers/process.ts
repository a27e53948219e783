import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { COMPILE_CACHE } from '../../server/boot/compile-cache.ts'
import type { DatabasePlace } from './databases.ts'
import { OPERATOR_TOKEN } from './product.ts'

const MAIN = resolve(import.meta.dirname, '../../server/main.ts')

/** The product in its own process, as `npm start` runs it. */
export interface TestProcess {
  url: string
  child: ChildProcess
  /** The output so far. */
  printed(): string
  /** Sends a signal and resolves with the exit code; `null` when the signal ended the process. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

/**
 * Starts the process on a free port, without rate limits, and waits until it is ready. `openFiles` is
 * the number of files that it may have open.
 */
export async function startTestProcess(
  place: DatabasePlace,
  settings: Record<string, string> = {},
  { openFiles = 'unlimited' }: { openFiles?: number | 'unlimited' } = {},
): Promise<TestProcess> {
  const limit = openFiles === 'unlimited' ? '' : `ulimit -n ${openFiles} && `
  const child = spawn('sh', ['-c', `${limit}exec "$0" "$1"`, process.execPath, MAIN], {
    cwd: place.dataDir,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      PORT: '0',
      DATA_DIR: place.dataDir,
      SECRET_KEY: 'a-secret-key-for-tests-only',
      OPERATOR_TOKEN,
      SEED: 'none',
      LOG_LEVEL: 'error',
      LIMIT_AUTH: '0',
      LIMIT_MESSAGE: '0',
      LIMIT_DEFAULT: '0',
      LIMIT_STREAMS: '0',
      ...(place.databaseUrl ? { DATABASE_URL: place.databaseUrl } : {}),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  let text = ''
  const ready = Promise.withResolvers<string>()
  const take = (chunk: string) => {
    text += chunk
    const found = /Health +(http:\/\/\S+)\/health\/ready/.exec(text)?.[1]
    if (found) ready.resolve(found)
  }
  child.stdout.setEncoding('utf8').on('data', take)
  child.stderr.setEncoding('utf8').on('data', take)
  void ended.then(() => ready.reject(new Error(`It ended before it was ready: ${text}`)))
  return {
    url: await ready.promise,
    child,
    printed: () => text,
    async end(signal) {
      child.kill(signal)
      await ended
      return child.exitCode
    },
  }
}
