import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../services/free-port.ts'

/** The product in a process and a folder of its own, as `npm start` runs it. */
export interface ServerProcess {
  url: string
  /** Resolves with the first text that the process prints and that fits. */
  waitFor(pattern: RegExp): Promise<string>
  /** Stops the process as `systemctl` does, and starts it again with its data. */
  restart(): Promise<void>
  /** Ends the process and removes its folder. */
  stop(): Promise<void>
}

/** Starts the product on a free port with the demo shop; receivers may be on loopback. */
export async function startServer(settings: Record<string, string>): Promise<ServerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'sohbet-browser-'))
  const port = await freePort()
  const env = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: folder,
    SEED: 'demo',
    LIMIT_AUTH: '0',
    ALLOW_PRIVATE_TARGETS: 'true',
    LOG_LEVEL: 'error',
    ...settings,
  }
  let printed = ''
  const start = () => {
    const child = spawn(process.execPath, ['server/main.ts'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    printed = ''
    child.stdout.on('data', (text) => {
      printed += String(text)
    })
    return { child, gone: once(child, 'exit') }
  }
  let running = start()
  const end = async (): Promise<void> => {
    running.child.kill('SIGTERM')
    await running.gone
  }
  return {
    url: `http://127.0.0.1:${port}`,
    waitFor(pattern) {
      const { child, gone } = running
      const read = async (): Promise<string> => {
        while (!pattern.test(printed)) await once(child.stdout, 'data')
        return pattern.exec(printed)?.[0] ?? ''
      }
      const failed = gone.then(() => Promise.reject(new Error('The server did not start.')))
      return Promise.race([read(), failed])
    },
    async restart() {
      await end()
      running = start()
    },
    async stop() {
      await end()
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
