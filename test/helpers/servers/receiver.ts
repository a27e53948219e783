import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { TEST_CERTIFICATE, TEST_KEY } from './certificate.ts'

/** A request as it arrived, byte for byte. */
export interface Received {
  method: string
  path: string
  /** Names in lower case. */
  headers: Record<string, string>
  body: string
}

/** A plain answer. */
export interface Answer {
  status: number
  headers?: Record<string, string>
  body?: string
}

/** A receiver's action on a request: an answer, a bare status, or a way to misbehave. */
export type Act =
  | number
  | Answer
  /** Never answers. */
  | 'silence'
  /** Status 200, then one byte of the body every 50 ms, for ever. */
  | 'drip'
  /** Status 500, then nothing of the body that it promised. */
  | 'stall-in-body'
  /** The beginning of a head, then nothing. */
  | 'stall-in-head'
  /** Status 500 and a body in chunks without end. */
  | 'endless-chunks'
  /** A head without end, as fast as it is taken. */
  | 'endless-head'
  /** Status 200, and the same again that nobody asked for. */
  | 'answer-twice'
  /** Status 200 in chunks with a trailer, one byte at a time. */
  | 'chunked'
  /** Status 200 with a body that ends with the connection. */
  | 'until-close'
  /** Exactly these bytes. */
  | { bytes: string }
  /** Status 500 and the same drip. */
  | 'drip-500'
  /** One byte of the head every 50 ms, for ever. */
  | 'drip-head'
  /** Status 500 and a body without end, as fast as it is taken. */
  | 'endless'
  /** Status 500 and 10 MB of zeros in a few KB of gzip. */
  | 'gzip-bomb'
  /** Resets the connection once the request is there. */
  | 'reset'
  /** Resets it in the middle of the head. */
  | 'reset-in-head'
  /** Resets it in the middle of the body of a 500. */
  | 'reset-in-body'
  /** Closes without an answer. */
  | 'close'
  /** `102 Processing` every 20 ms, for ever. */
  | 'interim-storm'
  /** 100, 102 and 103, then a 200. */
  | 'interim-then-200'
  /** `101 Switching Protocols`. */
  | 'switch'
  /** Bytes that are no HTTP. */
  | 'nonsense'

export interface Receiver {
  /** Where it listens, with `/hook` as path. */
  url: string
  port: number
  received: Received[]
  /** How many connections were opened to it. */
  connections: number
  /** How many are open now. */
  open(): number
  /** Said to every new connection before anything is asked. */
  greeting?: string
  /** Says something that nobody asked for on every open connection. */
  sayToAll(text: string): void
  /** Closes every open connection. */
  closeAll(): void
  /** The action on the next requests; replace it at any time. */
  act: Act | ((request: Received, count: number) => Act | Promise<Act>)
  /** Resolves with the first `count` requests once they are there. */
  waitFor(count: number): Promise<Received[]>
  close(): Promise<void>
}

/** Starts a scripted receiver on loopback. */
export async function startReceiver(
  act: Receiver['act'] = 200,
  options: { tls?: boolean | TlsOptions } = {},
): Promise<Receiver> {
  const sockets = new Set<Socket>()
  const waiting: { count: number; done: () => void }[] = []
  const onSocket = (socket: Socket) => {
    receiver.connections += 1
    sockets.add(socket)
    if (receiver.greeting !== undefined) socket.write(receiver.greeting)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    serve(socket, async (request) => {
      receiver.received.push(request)
      for (const { count, done } of waiting) if (receiver.received.length >= count) done()
      const chosen = receiver.act
      perform(
        socket,
        typeof chosen === 'function' ? await chosen(request, receiver.received.length) : chosen,
      )
    })
  }
  const tls = typeof options.tls === 'object' ? options.tls : {}
  const server: Server = options.tls
    ? createTlsServer({ key: TEST_KEY, cert: TEST_CERTIFICATE, ...tls }, onSocket)
    : createServer(onSocket)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const receiver: Receiver = {
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}/hook`,
    port,
    received: [],
    connections: 0,
    open: () => sockets.size,
    sayToAll: (text) => {
      for (const socket of sockets) socket.write(text)
    },
    closeAll: () => {
      for (const socket of sockets) socket.end()
    },
    act,
    waitFor: async (count) => {
      if (receiver.received.length < count) {
        await new Promise<void>((done) => waiting.push({ count, done }))
      }
      return receiver.received.slice(0, count)
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}

/** Reads requests with a `Content-Length`, one after the other, from a kept-alive connection. */
function serve(socket: Socket, take: (request: Received) => Promise<void>): void {
  let bytes = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    for (;;) {
      const end = bytes.indexOf('\r\n\r\n')
      if (end === -1) return
      const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
      const headers = Object.fromEntries(
        lines.map((line) => [
          line.slice(0, line.indexOf(':')).toLowerCase(),
          line.slice(line.indexOf(':') + 1).trim(),
        ]),
      )
      const length = Number(headers['content-length'] ?? 0)
      if (bytes.length < end + 4 + length) return
      const body = bytes.toString('utf8', end + 4, end + 4 + length)
      bytes = bytes.subarray(end + 4 + length)
      const [method = '', path = ''] = first.split(' ')
      void take({ method, path, headers, body })
    }
  })
}

const head = (status: number, lines: string[]) =>
  [`HTTP/1.1 ${status} Status`, ...lines, '', ''].join('\r\n')

function perform(socket: Socket, act: Act): void {
  if (typeof act === 'number') return perform(socket, { status: act })
  if (typeof act === 'object' && 'bytes' in act) {
    socket.write(act.bytes, 'latin1')
    return
  }
  if (typeof act === 'object') {
    const body = Buffer.from(act.body ?? '')
    const lines = Object.entries({ ...act.headers, 'content-length': String(body.length) })
    socket.write(
      head(
        act.status,
        lines.map(([name, value]) => `${name}: ${value}`),
      ),
    )
    socket.write(body)
    return
  }
  MISDEEDS[act](socket)
}

const BOMB = gzipSync(Buffer.alloc(10_000_000))

const MISDEEDS: Record<Extract<Act, string>, (socket: Socket) => void> = {
  silence: () => undefined,
  drip: (socket) => repeat(socket, 50, 'x', head(200, ['content-length: 100000'])),
  'stall-in-body': (socket) => {
    socket.write(head(500, ['content-length: 100']))
  },
  'stall-in-head': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-')
  },
  'endless-chunks': (socket) =>
    pour(socket, head(500, ['transfer-encoding: chunked']), `10000\r\n${'x'.repeat(65_536)}\r\n`),
  'endless-head': (socket) =>
    pour(socket, 'HTTP/1.1 200 OK\r\n', `x-long: ${'x'.repeat(8_000)}\r\n`),
  'answer-twice': (socket) => {
    socket.write(head(200, ['content-length: 0']).repeat(2))
  },
  chunked: (socket) => {
    const text = `${head(200, ['transfer-encoding: chunked'])}3;a=b\r\nabc\r\n2\r\nde\r\n0\r\nx: y\r\n\r\n`
    void dribble(socket, text)
  },
  'until-close': (socket) => {
    socket.end(`${head(200, [])}all of it`)
  },
  'drip-500': (socket) => repeat(socket, 50, 'x', head(500, ['content-length: 100000'])),
  'drip-head': (socket) => repeat(socket, 50, 'x', 'HTTP/1.1 200 OK\r\nx-long: '),
  endless: (socket) => pour(socket, head(500, ['connection: close'])),
  'gzip-bomb': (socket) => {
    socket.write(head(500, ['content-encoding: gzip', `content-length: ${BOMB.length}`]))
    socket.write(BOMB)
  },
  reset: (socket) => socket.resetAndDestroy(),
  'reset-in-head': (socket) => {
    socket.write('HTTP/1.1 200', () => socket.resetAndDestroy())
  },
  'reset-in-body': (socket) => {
    socket.write(`${head(500, ['content-length: 100'])}half`, () => socket.resetAndDestroy())
  },
  close: (socket) => socket.destroy(),
  'interim-storm': (socket) => repeat(socket, 20, head(102, []), head(102, [])),
  'interim-then-200': (socket) => {
    socket.write(head(100, []) + head(102, []) + head(103, ['link: </style.css>']))
    socket.write(head(100, []))
    socket.write(`${head(200, ['content-length: 2'])}ok`)
  },
  switch: (socket) => {
    socket.write(head(101, ['connection: upgrade', 'upgrade: websocket']))
  },
  nonsense: (socket) => {
    socket.write('220 mail.example.com ESMTP\r\n\r\n')
  },
}

function repeat(socket: Socket, everyMs: number, piece: string, first: string): void {
  socket.write(first)
  const timer = setInterval(() => socket.write(piece), everyMs)
  socket.on('close', () => clearInterval(timer))
}

async function dribble(socket: Socket, text: string): Promise<void> {
  for (const letter of text) {
    socket.write(letter)
    await new Promise((next) => setImmediate(next))
  }
}

function pour(socket: Socket, first: string, text = 'x'.repeat(64 * 1024)): void {
  const piece = Buffer.from(text)
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.write(first)
  socket.on('drain', more)
  more()
}
