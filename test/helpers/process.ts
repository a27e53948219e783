import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { COMPILE_CACHE } from '../../server/boot/compile-cache.ts'
import type { DatabasePlace } from './databases.ts'
import { OPERATOR_TOKEN } from './product.ts'

const MAIN = resolve(import.meta.dirname, '../../server/main.ts')
const COMMAND_LINE = resolve(import.meta.dirname, '../../tools/sohbet.ts')
const SECRET_KEY = 'a-secret-key-for-tests-only'
const BLOCK_BYTES = 512

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
      SECRET_KEY,
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

/** The exit code of a command, and both of its outputs. */
export interface CommandResult {
  code: number
  output: string
}

/** Runs `npx sohbet …` for a place. */
export function sohbet(place: DatabasePlace, ...words: string[]): Promise<CommandResult> {
  return sohbetWith({}, place, ...words)
}

/** The same with further settings. */
export function sohbetWith(
  settings: Record<string, string>,
  place: DatabasePlace,
  ...words: string[]
): Promise<CommandResult> {
  return runCommand('', settings, place, words)
}

/** The same on a disk that takes no file above a size, like a full one. */
export function sohbetBelow(
  bytes: number,
  place: DatabasePlace,
  ...words: string[]
): Promise<CommandResult> {
  const limit = `ulimit -f ${Math.ceil(bytes / BLOCK_BYTES)} && `
  return runCommand(limit, {}, place, words)
}

function runCommand(
  limit: string,
  settings: Record<string, string>,
  place: DatabasePlace,
  words: string[],
): Promise<CommandResult> {
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    SECRET_KEY,
    DATA_DIR: place.dataDir,
    ...(place.databaseUrl ? { DATABASE_URL: place.databaseUrl } : {}),
    ...settings,
  }
  const script = ['-c', `${limit}exec "$0" "$@"`, process.execPath, COMMAND_LINE, ...words]
  return new Promise((done) => {
    const run = execFile('sh', script, { cwd: place.dataDir, env }, (_error, stdout, stderr) =>
      done({ code: run.exitCode ?? -1, output: stdout + stderr }),
    )
  })
}
