import { createServer } from 'node:net'

/**
 * A receiver in a process of its own, as cheap as one can be: it answers every request with 204 and
 * notes how long after the event's `sent_at` the request came. `report` returns and forgets.
 */
const ANSWER = Buffer.from('HTTP/1.1 204 No Content\r\n\r\n')
const delays: number[] = []

const server = createServer({ noDelay: true }, (socket) => {
  let bytes = Buffer.alloc(0)
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    bytes = bytes.length === 0 ? Buffer.from(chunk) : Buffer.concat([bytes, Buffer.from(chunk)])
    for (;;) {
      const end = bytes.indexOf('\r\n\r\n')
      if (end === -1) return
      const head = bytes.toString('latin1', 0, end)
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (bytes.length < end + 4 + length) return
      const body = bytes.toString('latin1', end + 4, end + 4 + length)
      bytes = bytes.subarray(end + 4 + length)
      const sentAt = Number(/"sent_at":([\d.]+)/.exec(body)?.[1])
      delays.push(performance.timeOrigin + performance.now() - sentAt)
      socket.write(ANSWER)
    }
  })
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})
process.on('message', () => process.send?.({ delays: delays.splice(0) }))
process.on('disconnect', () => process.exit(0))
