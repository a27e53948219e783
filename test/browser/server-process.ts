import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The product in a process and a folder of its own, as `npm start` runs it. */
export interface ServerProcess {
  url: string
  /** Resolves with the first text that the process prints and that fits. */
  waitFor(pattern: RegExp): Promise<string>
  /** Ends the process and removes its folder. */
  stop(): Promise<void>
}

/** Starts the product on a free port with the demo shop; receivers may be on loopback. */
export async function startServer(settings: Record<string, string>): Promise<ServerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-browser-'))
  const port = await freePort()
  const child = spawn(process.execPath, ['server/main.ts'], {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: folder,
      SEED: 'demo',
      LIMIT_AUTH: '0',
      ALLOW_PRIVATE_TARGETS: 'true',
      LOG_LEVEL: 'error',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  let printed = ''
  child.stdout.on('data', (text) => {
    printed += String(text)
  })
  const read = async (pattern: RegExp): Promise<string> => {
    while (!pattern.test(printed)) await once(child.stdout, 'data')
    return pattern.exec(printed)?.[0] ?? ''
  }
  return {
    url: `http://127.0.0.1:${port}`,
    waitFor: (pattern) =>
      Promise.race([
        read(pattern),
        gone.then(() => Promise.reject(new Error('The server did not start.'))),
      ]),
    async stop() {
      child.kill('SIGTERM')
      await gone
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Listens on a free port of loopback and returns it. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port was free.')
  return address.port
}

async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  server.close()
  await once(server, 'close')
  return port
}
