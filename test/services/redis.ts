import { randomBytes } from 'node:crypto'
import { startServer, type Server } from './server.ts'

/** Starts an empty Valkey or Redis without persistence; `folder` is its working folder. */
export function startRedis(program: string, folder: string): Promise<Server> {
  const password = randomBytes(16).toString('hex')
  return startServer({
    title: 'The Redis-compatible server',
    command: program,
    // The configuration goes through standard input, so that the password is in no process list.
    args: () => ['-'],
    input: (port) =>
      [
        `port ${port}`,
        'bind 127.0.0.1',
        `requirepass ${password}`,
        `dir "${folder}"`,
        'save ""',
        'appendonly no',
        '',
      ].join('\n'),
    url: (port) => `redis://:${password}@127.0.0.1:${port}`,
    ready: /ready to accept connections/i,
    stopSignal: 'SIGTERM',
  })
}
