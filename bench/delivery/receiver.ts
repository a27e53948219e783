import { createHmac } from 'node:crypto'
import { createServer, type Socket } from 'node:net'

/**
 * A minimal receiver in its own process: it verifies every signature, responds with 204 and records
 * the delay since the event's `sent_at`. `/endless` responds without end; `/dead` does not respond, and
 * closes its connections at the next report. A report returns the figures and resets them.
 */
const [secret = ''] = process.argv.slice(2)
const ANSWER = Buffer.from('HTTP/1.1 204 No Content\r\n\r\n')
const REFUSAL = Buffer.from('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n')
const PIECE = Buffer.alloc(64 * 1024, 'x')
const silent = new Set<Socket>()
let noted: { delays: number[]; forged: number; endless: number } = nothing()

function nothing() {
  return { delays: [], forged: 0, endless: 0 }
}

function answer(socket: Socket, head: string, body: Buffer): void {
  if (head.startsWith('POST /dead')) {
    silent.add(socket)
    return
  }
  if (head.startsWith('POST /endless')) {
    noted.endless += 1
    pour(socket)
    return
  }
  const signature = /x-chat-signature: sha256=(\w+)/i.exec(head)?.[1]
  if (signature !== createHmac('sha256', secret).update(body).digest('hex')) {
    noted.forged += 1
    socket.write(REFUSAL)
    return
  }
  const sentAt = Number(/"sent_at":([\d.]+)/.exec(body.toString('latin1'))?.[1])
  noted.delays.push(performance.timeOrigin + performance.now() - sentAt)
  socket.write(ANSWER)
}

function pour(socket: Socket): void {
  const more = () => {
    while (!socket.destroyed && socket.write(PIECE));
  }
  socket.write('HTTP/1.1 500 Oops\r\nconnection: close\r\n\r\n')
  socket.on('drain', more)
  more()
}

const server = createServer({ noDelay: true }, (socket) => {
  let bytes: Buffer = Buffer.alloc(0)
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
    for (;;) {
      const end = bytes.indexOf('\r\n\r\n')
      if (end === -1) return
      const head = bytes.toString('latin1', 0, end)
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (bytes.length < end + 4 + length) return
      answer(socket, head, bytes.subarray(end + 4, end + 4 + length))
      bytes = bytes.subarray(end + 4 + length)
    }
  })
})

server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ ...noted, cpuSeconds: (user + system) / 1e6 })
  noted = nothing()
  for (const socket of silent) socket.destroy()
  silent.clear()
})
process.on('disconnect', () => process.exit(0))
