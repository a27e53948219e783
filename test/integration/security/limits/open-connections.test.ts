import { once } from 'node:events'
import { type Socket, connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { type TestProcess, startTestProcess } from '../../../helpers/process.ts'

const OPEN_FILES = 400

/** Opens idle connections from an address of this machine; resolves when each is open or refused. */
async function openConnections(url: string, localAddress: string, count: number) {
  const { hostname: host, port } = new URL(url)
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect({ host, port: Number(port), localAddress })
      socket.on('error', () => undefined)
      await Promise.race([once(socket, 'connect'), once(socket, 'close')])
      return socket
    }),
  )
  const opened = (socket: Socket) => !socket.destroyed && !socket.readableEnded
  return {
    held: () => sockets.filter(opened).length,
    close: () => sockets.forEach((socket) => socket.destroy()),
  }
}

describeOnDatabase('an address that opens connections without end', (database) => {
  let server: TestProcess | undefined
  afterEach(() => server?.end('SIGKILL'))

  const isLive = ({ url }: TestProcess) =>
    fetch(`${url}/health/live`, { headers: { connection: 'close' } }).then(
      ({ ok }) => ok,
      () => false,
    )

  test('does not keep others out, and the process outlives many of them', async () => {
    const place = await database.create()
    const running = await startTestProcess(
      place,
      { LIMIT_STREAMS: '100' },
      { openFiles: OPEN_FILES },
    )
    server = running
    const one = await openConnections(running.url, '127.0.0.2', 300)
    await expect.poll(() => one.held()).toBe(100)
    expect(await isLive(running)).toBe(true)
    const others = await Promise.all(
      ['127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6'].map((address) =>
        openConnections(running.url, address, OPEN_FILES),
      ),
    )
    await expect.poll(() => isLive(running)).toBe(false)
    for (const { close } of [one, ...others]) close()
    await expect.poll(() => isLive(running)).toBe(true)
  })
})
