import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below 32768, where Linux and BSD begin to hand out ports for port 0 and for connections. */
const LOWEST = 10_000
const HIGHEST = 32_767
const TRIES = 50

/**
 * Returns a free TCP port of the loopback interface, for a server that must be told its port.
 * A port of the system's own range could be handed to another server before that one listens.
 *
 * @throws an Error when 50 ports in a row are taken.
 */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const port = randomInt(LOWEST, HIGHEST + 1)
    if (await isFree(port)) return port
  }
  throw new Error(`No port between ${LOWEST} and ${HIGHEST} was free.`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
