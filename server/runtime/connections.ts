import { readFileSync } from 'node:fs'
import type { Server } from 'node:net'
import { clientNetwork, isListed } from '../http/addresses.ts'

const MAX_CONNECTIONS = 50_000
/** Of the open files that the system allows; the rest is for databases, files and outgoing calls. */
const SHARE_OF_FILES = 0.8
/** An address may hold one of so many connections of the process. */
const ADDRESSES = 10
const MIN_PER_ADDRESS = 100

/**
 * Bounds the open connections of the process and of each client address: a connection is a file, and
 * without files left the process ends. Connections above a bound are closed before a request is
 * read. `perAddress: false` lifts the bound of an address; trusted proxies have none.
 */
export function limitConnections(
  server: Server,
  { trustedProxies, perAddress }: { trustedProxies: readonly string[]; perAddress: boolean },
): void {
  const max = Math.min(MAX_CONNECTIONS, Math.floor(maxOpenFiles() * SHARE_OF_FILES))
  let total = 0
  server.on('connection', (socket) => {
    total += 1
    socket.once('close', () => (total -= 1))
    if (total > max) socket.destroy()
  })
  if (!perAddress) return
  const maxOfAddress = Math.max(MIN_PER_ADDRESS, Math.floor(max / ADDRESSES))
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const ip = socket.remoteAddress ?? ''
    if (trustedProxies.length > 0 && isListed(ip, trustedProxies)) return
    const address = clientNetwork({ ip })
    const count = (open.get(address) ?? 0) + 1
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
    if (count > maxOfAddress) socket.destroy()
  })
}

/** Returns the open files that Linux allows the process; `Infinity` where that is not known. */
export function maxOpenFiles(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity)
  } catch {
    return Infinity
  }
}
