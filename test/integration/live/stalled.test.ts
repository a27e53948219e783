import { once } from 'node:events'
import { type Socket, connect } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import type { Session } from '../../../server/chat/schema.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { openLive } from '../../helpers/live.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

/** Together more than the kernels of both sides hold for a reader. */
const MESSAGES = 500
const LONG = '🙂'.repeat(3_900)

describeOnBothDatabases('a reader who takes nothing', (database) => {
  const clock = new TestClock(Date.UTC(2026, 10, 25, 9))
  let own: TestWorkspace
  let visitor: string
  let path: string

  const product = useProduct(database, { clock })
  beforeAll(async () => {
    own = await addWorkspace(product)
    visitor = await addVisitor(product, own)
  })

  async function openStalled(): Promise<Socket> {
    const socket = connect(Number(new URL(product.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${visitor}\r\n\r\n`)
    await once(socket, 'data')
    return socket.pause()
  }

  test('is cut off, delays nobody, and comes back for the rest', async () => {
    const opened = await product.call<Session>('/api/v1/chatbot/sessions', {
      token: visitor,
      body: { tenant_id: own.tenantId },
    })
    const { session_id } = opened.body
    path = `/api/v1/chatbot/sessions/${session_id}/live`
    const stalled = await openStalled()
    const closed = once(stalled, 'close')
    const healthy = await openLive(product.url, path, { token: visitor })
    const write = (text: string) =>
      product.call(`/api/v1/inbox/${session_id}/messages`, { token: own.token, body: { text } })
    for (let number = 1; number <= MESSAGES; number += 1) {
      expect((await write(`${number} ${LONG}`)).status).toBe(201)
    }
    await healthy.waitFor(({ data }) => String(data.content).startsWith(`${MESSAGES} `))
    // Looked at once a second: it takes nothing between the first look and the last.
    for (let second = 0; second < 14; second += 1) {
      clock.move(1_000)
      expect((await write('Meanwhile')).status).toBe(201)
    }
    let taken = ''
    stalled.setEncoding('utf8').on('data', (text: string) => {
      taken += text
    })
    stalled.resume()
    await closed
    const numbers = (text: string) =>
      [...text.matchAll(/"content":"(\d+) /g)].map((match) => Number(match[1]))
    const had = numbers(taken)
    expect(had.length).toBeLessThan(MESSAGES)
    const lastEventId = [...taken.matchAll(/^id: (\d+)\ndata: .*\n\n/gm)].at(-1)?.[1] ?? '0'
    const again = await openLive(product.url, path, { token: visitor, lastEventId })
    await again.waitFor(({ data }) => String(data.content).startsWith(`${MESSAGES} `))
    const rest = again.events.flatMap(({ data }) => {
      const number = Number.parseInt(String(data.content), 10)
      return Number.isNaN(number) ? [] : [number]
    })
    const complete = had.filter((number) => !rest.includes(number))
    expect([...complete, ...rest]).toEqual(
      Array.from({ length: MESSAGES }, (_, index) => index + 1),
    )
    again.close()
    healthy.close()
  })
})
