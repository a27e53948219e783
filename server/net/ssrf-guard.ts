import { lookup } from 'node:dns/promises'
import { connect, type LookupFunction, type Socket } from 'node:net'
import type { SecureContextOptions } from 'node:tls'
import { buildConnector } from 'undici'
import { rejectAfter } from '../lib/timeout.ts'
import { isAllowedAddress, literalOf, needsAllowedNetwork, type TargetPolicy } from './target.ts'

const CONNECT_TIMEOUT_MS = 10_000

/** Returns all addresses of a name, as text. Rejects for a name without an address. */
export type Resolver = (name: string) => Promise<readonly string[]>

/**
 * The name was not found, or resolves to an address that is not allowed. Customers see the same
 * code for both, because a difference would let them explore an internal network; the message is for
 * the operator's log.
 */
export class BlockedTargetError extends Error {
  readonly code = 'address_not_allowed'
}

/** Resolves a name with the resolver of the system. */
export const systemResolver: Resolver = async (name) => {
  const found = await lookup(name, { all: true, order: 'verbatim' })
  return found.map((entry) => entry.address)
}

/** The options of a guarded connector. */
export interface ConnectorOptions {
  policy: TargetPolicy
  /** Replaces the system's resolver. */
  resolve?: Resolver
  /** Trusted certificate authorities instead of the standard ones. */
  ca?: SecureContextOptions['ca']
}

/**
 * Returns a connector for undici that reaches only addresses that the policy allows. A literal is
 * checked here, since `lookup` is never called for one; a name is resolved, and one forbidden address
 * blocks the whole set; the socket's remote address is checked again before a byte is written.
 */
export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  const { policy, resolve = systemResolver, ca } = options
  const secure = buildConnector({
    allowH2: false,
    timeout: CONNECT_TIMEOUT_MS,
    ...(ca ? { ca } : {}),
  })
  return (target, callback) => void connectTarget(target, callback)

  async function connectTarget(
    target: buildConnector.Options,
    callback: buildConnector.Callback,
  ): Promise<void> {
    let socket: Socket
    try {
      const plain = await open(target)
      socket = target.protocol === 'https:' ? await secured(target, plain) : plain
    } catch (error) {
      callback(
        error instanceof Error ? error : new Error('The connection failed', { cause: error }),
        null,
      )
      return
    }
    callback(null, tolerateContinue(socket))
  }

  function secured(target: buildConnector.Options, plain: Socket): Promise<Socket> {
    return new Promise((done, failed) => {
      secure({ ...target, httpSocket: plain }, (...[error, socket]) => {
        if (error) failed(error)
        else done(socket)
      })
    })
  }

  async function open(target: buildConnector.Options): Promise<Socket> {
    const origin = new URL(`${target.protocol}//${target.host ?? target.hostname}`)
    const strict = needsAllowedNetwork(origin)
    const addresses = await checkedAddresses(literalOf(target.hostname), target.hostname, strict)
    const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80))
    const socket = await connectTo(addresses, target.hostname, port)
    const remote = socket.remoteAddress ?? ''
    if (isAllowedAddress(remote, policy, strict)) return socket
    socket.destroy()
    throw new BlockedTargetError(
      `${target.hostname} was reached at ${remote}, which is not allowed`,
    )
  }

  async function checkedAddresses(
    literal: string | undefined,
    name: string,
    strict: boolean,
  ): Promise<readonly string[]> {
    const addresses = literal === undefined ? await resolved(name) : [literal]
    const refused = addresses.find((address) => !isAllowedAddress(address, policy, strict))
    if (addresses.length === 0 || refused !== undefined) {
      throw new BlockedTargetError(`${name} leads to ${refused ?? 'nothing'}, which is not allowed`)
    }
    return addresses
  }

  async function resolved(name: string): Promise<readonly string[]> {
    try {
      return await rejectAfter(
        CONNECT_TIMEOUT_MS,
        resolve(name),
        () => new Error('The DNS lookup timed out'),
      )
    } catch (error) {
      throw new BlockedTargetError(`${name} was not found`, { cause: error })
    }
  }
}

/** Connects to the first checked address that accepts; a second lookup could return another. */
function connectTo(addresses: readonly string[], name: string, port: number): Promise<Socket> {
  const checked = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  const lookupChecked: LookupFunction = (_name, wanted, done) => {
    const [first] = checked
    if (wanted.all) done(null, checked)
    else done(null, first?.address ?? '', first?.family)
  }
  const host = literalOf(name) ?? name
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port,
      lookup: lookupChecked,
      autoSelectFamily: true,
      noDelay: true,
    })
    const timer = setTimeout(() => {
      socket.destroy(Object.assign(new Error('The connection timed out'), { code: 'ETIMEDOUT' }))
    }, CONNECT_TIMEOUT_MS)
    socket.once('connect', () => {
      clearTimeout(timer)
      resolve(socket)
    })
    // The listener stays for the socket's life; the layer above reports later errors.
    socket.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
  })
}

const CONTINUE = /^HTTP\/1\.[01] 100\b/
const INTERIM = /^HTTP\/1\.[01] 1\d\d\b/
const STATUS_LINE_BYTES = 13
const LAST_STATUS_DIGIT = 11

/**
 * undici closes a connection at an unsolicited `100 Continue`, although every client must be able to
 * ignore one (RFC 9110, 15.2). Rewritten to 102, the response is skipped like any interim response.
 */
function tolerateContinue<Connection extends Socket>(socket: Connection): Connection {
  const read = socket.read.bind(socket)
  socket.read = (size?: number) => {
    const chunk: unknown = read(size)
    if (chunk instanceof Buffer) maskContinue(chunk)
    return chunk
  }
  return socket
}

function maskContinue(chunk: Buffer): void {
  for (let at = 0; at < chunk.length;) {
    const line = chunk.toString('latin1', at, at + STATUS_LINE_BYTES)
    if (!INTERIM.test(line)) return
    if (CONTINUE.test(line)) chunk.write('2', at + LAST_STATUS_DIGIT, 'latin1')
    const end = chunk.indexOf('\r\n\r\n', at)
    if (end === -1) return
    at = end + 4
  }
}
