import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import {
  openSender,
  type Sender,
  type SenderOptions,
} from '../../../server/delivery/http/attempt.ts'
import { targetPolicy } from '../../../server/net/target.ts'
import { TEST_CERTIFICATE } from '../../helpers/servers/certificate.ts'
import { EVERY_HOSTILE_URL } from '../../helpers/hostile/urls.ts'
import { type Act, type Receiver, startReceiver } from '../../helpers/servers/receiver.ts'

const anywhere = targetPolicy({ allowPrivateTargets: true, allowedTargetCidrs: [] })
const publicOnly = targetPolicy({ allowPrivateTargets: false, allowedTargetCidrs: [] })
const loopback = targetPolicy({ allowPrivateTargets: false, allowedTargetCidrs: ['127.0.0.1/32'] })

const secrets = { current: 'a secret of the receiver' }
const ping = {
  family: 'platform',
  id: 'evt_1',
  event: 'ping',
  body: '{"event":"ping","data":{"name":"Işıl"}}',
  now: 1_700_000_000_000,
} as const

let receiver: Receiver
let sender: Sender
afterEach(async () => {
  await receiver.close()
  await sender.close()
})

async function attempt(act: Act, options: Partial<SenderOptions> = {}, tls = false) {
  receiver = await startReceiver(act, { tls })
  sender = openSender({ policy: anywhere, version: '1.2.3', timeoutMs: 400, ...options })
  return sender.send(receiver.url, ping, secrets)
}

describe('what is sent', () => {
  test('is the signed bytes, with their length and no encoding asked for', async () => {
    const result = await attempt({ status: 201, body: 'thanks' })
    expect(result).toMatchObject({ status: 201, error: null, answer: 'thanks' })
    expect(receiver.received).toMatchObject([
      {
        method: 'POST',
        path: '/hook',
        body: ping.body,
        headers: {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(ping.body)),
          'accept-encoding': 'identity',
          'user-agent': 'Sohbet-Webhooks/1.2.3',
          'x-svc-delivery': 'evt_1',
          host: `127.0.0.1:${receiver.port}`,
        },
      },
    ])
    expect(receiver.received[0]?.headers).not.toHaveProperty('transfer-encoding')
  })

  test('goes over kept-alive connections, not over a new one each time', async () => {
    await attempt(200)
    for (let count = 0; count < 9; count += 1) await sender.send(receiver.url, ping, secrets)
    expect(receiver.received).toHaveLength(10)
    expect(receiver.connections).toBeLessThanOrEqual(2)
  })
})

describe('a 2xx status decides at once', () => {
  test('even if its body never ends, and the connection is closed then', async () => {
    const result = await attempt('drip')
    expect(result).toMatchObject({ status: 200, error: null })
    await expect.poll(() => receiver.open()).toBe(0)
  })

  test('after any interim answers', async () => {
    expect(await attempt('interim-then-200')).toMatchObject({ status: 200, answer: 'ok' })
  })
})

describe('a failure', () => {
  test.each([
    ['silence', 'timeout'],
    ['drip-head', 'timeout'],
    ['stall-in-head', 'timeout'],
    ['endless-head', 'bad_answer'],
    ['interim-storm', 'timeout'],
    ['reset', 'connection_reset'],
    ['reset-in-head', 'connection_reset'],
    ['close', 'connection_reset'],
    ['nonsense', 'bad_answer'],
    ['switch', 'bad_answer'],
  ] as const)('%s is shown as %s', async (act, error) => {
    const result = await attempt(act)
    expect(result).toMatchObject({ status: null, error, answer: null })
    await expect.poll(() => receiver.open()).toBe(0)
  })

  test.each(['stall-in-body', 'drip-500', 'endless-chunks', 'endless'] as const)(
    'in the body of a known status is only that status: %s',
    async (act) => {
      expect(await attempt(act)).toMatchObject({ status: 500, error: null })
      await expect.poll(() => receiver.open()).toBe(0)
    },
  )

  test.each([
    ['an interim status at the end', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'timeout'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n', 'bad_answer'],
    ['another protocol', 'ICY 200 OK\r\n\r\n', 'bad_answer'],
    ['HTTP/2', 'HTTP/2.0 200 OK\r\n\r\n', 'bad_answer'],
    ['HTTP/0.9', '<html>hello</html>', 'bad_answer'],
    ['white space before the status line', ' HTTP/1.1 200 OK\r\n\r\n', 'bad_answer'],
  ])('%s is no success', async (_name, bytes, error) => {
    expect(await attempt({ bytes })).toMatchObject({ status: null, error })
    await expect.poll(() => receiver.open()).toBe(0)
  })

  test('in the body of a known status keeps the status', async () => {
    const result = await attempt('reset-in-body')
    expect(result).toMatchObject({ status: 500, error: null, answer: 'half' })
  })

  test('without a listener is shown as refused', async () => {
    await attempt(200)
    await receiver.close()
    const again = await startReceiver()
    await again.close()
    expect(await sender.send(again.url, ping, secrets)).toMatchObject({
      status: null,
      error: 'connection_refused',
    })
    receiver = await startReceiver()
  })

  test.each([301, 302, 304, 307, 308])('%i is not followed', async (status) => {
    const second = await startReceiver()
    onTestFinished(() => second.close())
    const result = await attempt({ status, headers: { location: second.url } })
    expect(result).toMatchObject({ status, error: null })
    expect(second.received).toEqual([])
  })

  test('with a certificate that nobody trusts is shown as a TLS failure, and nothing is sent', async () => {
    expect(await attempt(200, {}, true)).toMatchObject({ status: null, error: 'tls_failed' })
    expect(receiver.received).toEqual([])
  })

  test('while the handshake waits ends with the deadline', async () => {
    receiver = await startReceiver('silence')
    sender = openSender({ policy: anywhere, version: '1', timeoutMs: 300 })
    const url = receiver.url.replace('http:', 'https:')
    expect(await sender.send(url, ping, secrets)).toMatchObject({ status: null, error: 'timeout' })
  })
})

test('a trusted certificate is accepted', async () => {
  const result = await attempt(200, { ca: TEST_CERTIFICATE }, true)
  expect(result).toMatchObject({ status: 200, error: null })
})

describe('of the answer', () => {
  test('at most 1 KiB is kept and 16 KiB read, however long it is', async () => {
    const result = await attempt('endless')
    expect(result).toMatchObject({ status: 500, answer: 'x'.repeat(1024) })
    await expect.poll(() => receiver.open()).toBe(0)
  })

  test('a long one leaves nothing behind that waits to be collected', async () => {
    await attempt(200)
    const long = Buffer.from(`HTTP/1.1 500 Oops\r\n\r\n${'x'.repeat(1024 * 1024)}`)
    // The same bytes each time, so that only what was read takes memory.
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.write(long))
    })
    onTestFinished(() => void server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}/`
    const before = process.memoryUsage().arrayBuffers
    for (let count = 0; count < 60; count += 1) await sender.send(url, ping, secrets)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1024 * 1024)
  })

  test('nothing is decompressed', async () => {
    const result = await attempt('gzip-bomb')
    expect(result.status).toBe(500)
    expect(result.answer?.length).toBeLessThanOrEqual(1024)
  })

  test('what is kept can be stored and shown anywhere', async () => {
    const body = 'a\0b<script>alert(1)</script>\u202E\u001B[31mşğ'
    const result = await attempt({ status: 400, body })
    expect(result.answer).toBe('a\uFFFDb‹script›alert(1)‹/script›\uFFFD\uFFFD[31mşğ')
  })

  test('Retry-After is reported', async () => {
    const result = await attempt({ status: 429, headers: { 'retry-after': '120' } })
    expect(result).toMatchObject({ status: 429, retryAfter: '120' })
  })
})

describe('the address', () => {
  const refused = { status: null, error: 'address_not_allowed', latency_ms: null, answer: null }

  function guarded(options: Partial<SenderOptions>): string[] {
    const details: string[] = []
    const onRefused = (_url: string, detail: string) => details.push(detail)
    sender = openSender({
      policy: publicOnly,
      version: '1',
      timeoutMs: 2_000,
      onRefused,
      ...options,
    })
    return details
  }

  test('of a literal is judged, and only the operator learns the reason', async () => {
    receiver = await startReceiver()
    const details = guarded({})
    const url = `https://127.0.0.1:${receiver.port}/`
    expect(await sender.send(url, ping, secrets)).toMatchObject(refused)
    expect(details).toEqual(['address'])
    expect(receiver.connections).toBe(0)
  })

  test.each([
    ['private', ['10.0.0.1']],
    ['loopback', ['127.0.0.1']],
    ['public and private mixed', ['8.8.8.8', '127.0.0.1']],
    ['mapped', ['::ffff:127.0.0.1']],
    ['mapped, of a public address', ['::ffff:8.8.8.8']],
    ['NAT64', ['64:ff9b::7f00:1']],
    ['6to4', ['2002:7f00:1::']],
    ['the metadata of a cloud', ['169.254.169.254']],
    ['public IPv4 and IPv6 loopback', ['8.8.8.8', '::1']],
    ['the last of many', ['8.8.8.8', '1.1.1.1', '2606:4700::1111', '192.168.0.1']],
    ['with a zone', ['fe80::1%eth0']],
    ['no address but a name', ['localhost']],
    ['no address at all', []],
  ])('of a name is judged: %s', async (_kind, addresses) => {
    receiver = await startReceiver()
    const details = guarded({ resolve: async () => addresses })
    const url = `https://hooks.example.com:${receiver.port}/`
    expect(await sender.send(url, ping, secrets)).toMatchObject(refused)
    expect(details).toHaveLength(1)
    expect(receiver.connections).toBe(0)
  })

  test('of every hostile URL is refused before anything is opened', async () => {
    receiver = await startReceiver()
    const details = guarded({ resolve: async () => ['127.0.0.1'] })
    for (const url of EVERY_HOSTILE_URL) {
      expect(await sender.send(url, ping, secrets), url).toMatchObject(refused)
    }
    expect(details).toHaveLength(EVERY_HOSTILE_URL.length)
  })

  test('of an unknown name looks the same to customers', async () => {
    receiver = await startReceiver()
    const resolve = () => Promise.reject(new Error('queryA ENOTFOUND'))
    const details = guarded({ resolve })
    expect(await sender.send('https://hooks.example.com/', ping, secrets)).toMatchObject(refused)
    expect(details).toEqual(['hooks.example.com was not found'])
  })

  test('is judged at every connection: public first and private at the second look-up', async () => {
    receiver = await startReceiver({ status: 200, headers: { connection: 'close' } }, { tls: true })
    const answers = [['127.0.0.1'], ['127.0.0.2']]
    const resolve = async () => answers.shift() ?? []
    guarded({ policy: loopback, resolve, ca: TEST_CERTIFICATE })
    const url = `https://receiver.example.com:${receiver.port}/`
    expect(await sender.send(url, ping, secrets)).toMatchObject({ status: 200 })
    await expect.poll(() => receiver.open()).toBe(0)
    expect(await sender.send(url, ping, secrets)).toMatchObject(refused)
    expect(receiver.connections).toBe(1)
  })

  test('of a plain http name must lie in a network of the operator', async () => {
    receiver = await startReceiver()
    const answers = [['127.0.0.1'], ['8.8.8.8']]
    const details = guarded({ policy: loopback, resolve: async () => answers.shift() ?? [] })
    const url = `http://hooks.internal:${receiver.port}/`
    expect(await sender.send(url, ping, secrets)).toMatchObject({ status: 200 })
    expect(await sender.send(url.replace('hooks', 'other'), ping, secrets)).toMatchObject(refused)
    expect(details).toEqual(['other.internal leads to 8.8.8.8, which is not allowed'])
  })

  test('is not looked up for longer than the deadline', async () => {
    receiver = await startReceiver()
    guarded({ resolve: () => new Promise(() => undefined), timeoutMs: 100 })
    const result = await sender.send('https://hooks.example.com/', ping, secrets)
    expect(result).toMatchObject({ status: null, error: 'timeout' })
  })
})
