import type { Socket } from 'node:net'
import {
  setImmediate as setImmediateAsync,
  setTimeout as setTimeoutAsync,
} from 'node:timers/promises'
import type { App } from '../http/app-type.ts'
import type { Listener } from './listener.ts'

const IDLE_SWEEP_INTERVAL_MS = 50
/** A turn of the event loop in which hardly a connection can have arrived unseen. */
const QUIET_TURN_MS = 0.2
const MAX_ACCEPT_MS = 500
/** After a connection is accepted; who has sent nothing by then is not waited for. */
const FIRST_REQUEST_TIMEOUT_MS = 1_000
const FIRST_REQUEST_POLL_MS = 10

/**
 * Knows the connections that were accepted after its construction and have not brought a request. To Node
 * they are idle, but the request is on its way: a proxy connects when it has one.
 */
export class FirstRequests {
  readonly #acceptedAt = new Map<Socket, number>()

  constructor(server: App['server']) {
    server.on('connection', (socket) => {
      this.#acceptedAt.set(socket, performance.now())
      socket.once('close', () => this.#acceptedAt.delete(socket))
    })
    server.on('request', ({ socket }) => this.#acceptedAt.delete(socket))
  }

  /** Resolves once each connection has brought a request, or has had the time for it. */
  async arrived(): Promise<void> {
    for (;;) {
      const now = performance.now()
      const accepted = [...this.#acceptedAt.values()]
      if (accepted.every((at) => now - at > FIRST_REQUEST_TIMEOUT_MS)) return
      await setTimeoutAsync(FIRST_REQUEST_POLL_MS)
    }
  }
}

/**
 * Stops listening, closes connections as they fall idle, and after a timeout those whose request or response
 * does not end: an open connection or half a request must not keep the process running.
 */
export async function drainConnections(
  app: App,
  { listener, requests }: { listener: Listener; requests: FirstRequests },
  timeoutMs: number,
): Promise<void> {
  const { server } = app
  if (!server.listening) return app.close()
  const late = setTimeout(() => server.closeAllConnections(), timeoutMs)
  let idle: NodeJS.Timeout | undefined
  try {
    await stopListening(server, listener)
    await requests.arrived()
    // Immediates run right after the poll for I/O: what has arrived by then is read.
    idle = setInterval(
      () => setImmediate(() => server.closeIdleConnections()),
      IDLE_SWEEP_INTERVAL_MS,
    )
    await setImmediateAsync()
    await Promise.all([app.close(), listener.closed])
  } finally {
    clearInterval(idle)
    clearTimeout(late)
  }
}

/**
 * Accepts what waits in the kernel, which resets it once nobody listens, and then stops listening. The event
 * loop accepts a few connections in a turn. None is read before the last is accepted, so that turns are short.
 */
async function stopListening(server: App['server'], listener: Listener): Promise<void> {
  const handlers = server.listeners('connection')
  const accepted: Socket[] = []
  server.removeAllListeners('connection')
  server.on('connection', (socket) => accepted.push(socket))
  const until = performance.now() + MAX_ACCEPT_MS
  for (;;) {
    const [count, startedAt] = [accepted.length, performance.now()]
    await setImmediateAsync()
    const now = performance.now()
    const isQuiet = accepted.length === count && now - startedAt < QUIET_TURN_MS
    // A connection that arrives between the turn and the close is reset: one socket in a turn.
    if (now > until) listener.closeAll()
    if (now > until || (isQuiet && !listener.closeNext())) break
  }
  for (const socket of accepted) for (const handle of handlers) handle.call(server, socket)
}
