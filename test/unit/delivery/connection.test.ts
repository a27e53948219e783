import type { TlsOptions } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { openSender, type Sender } from '../../../server/delivery/http/attempt.ts'
import { targetPolicy } from '../../../server/net/target.ts'
import {
  EXPIRED_CERTIFICATE,
  TEST_CERTIFICATE,
  WRONG_NAME_CERTIFICATE,
} from '../../helpers/servers/certificate.ts'
import { type Act, type Receiver, startReceiver } from '../../helpers/servers/receiver.ts'

const anywhere = targetPolicy({ allowPrivateTargets: true, allowedTargetCidrs: [] })
const secrets = { current: 'a secret of the receiver' }
const ping = { family: 'platform', id: 'evt_1', event: 'ping', body: '{}', now: 0 } as const

let receiver: Receiver
let sender: Sender
afterEach(async () => {
  await receiver.close()
  await sender.close()
})

async function attempt(act: Act) {
  receiver = await startReceiver(act)
  sender = openSender({ policy: anywhere, version: '1', timeoutMs: 2_000 })
  return sender.send(receiver.url, ping, secrets)
}

describe('TLS', () => {
  const tls = (options: TlsOptions) => ({ tls: { ...options } })

  test.each([
    ['an expired certificate', { cert: EXPIRED_CERTIFICATE }, EXPIRED_CERTIFICATE],
    ['a certificate for another name', { cert: WRONG_NAME_CERTIFICATE }, WRONG_NAME_CERTIFICATE],
    [
      'TLS 1.0',
      { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'ALL@SECLEVEL=0' } as const,
      TEST_CERTIFICATE,
    ],
    [
      'TLS 1.1',
      { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' } as const,
      TEST_CERTIFICATE,
    ],
  ])('with %s is refused before anything is sent', async (_name, options, ca) => {
    receiver = await startReceiver(200, tls(options))
    sender = openSender({ policy: anywhere, version: '1', timeoutMs: 2_000, ca })
    expect(await sender.send(receiver.url, ping, secrets)).toMatchObject({
      status: null,
      error: 'tls_failed',
    })
    expect(receiver.received).toEqual([])
  })

  test('to a receiver that speaks plain HTTP is a TLS failure', async () => {
    receiver = await startReceiver({ bytes: 'HTTP/1.1 400 Bad Request\r\n\r\n' })
    sender = openSender({ policy: anywhere, version: '1', timeoutMs: 2_000 })
    receiver.greeting = 'HTTP/1.1 400 Bad Request\r\n\r\n'
    const url = receiver.url.replace('http:', 'https:')
    expect(await sender.send(url, ping, secrets)).toMatchObject({ error: 'tls_failed' })
  })
})

describe('a connection', () => {
  test.each([
    ['the receiver closes it', { status: 200, headers: { connection: 'close' } }],
    ['it says nothing of the length', 'until-close'],
    ['it answers more than was asked', 'answer-twice'],
    ['it speaks HTTP/1.0', { bytes: 'HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n' }],
    [
      'two lengths contradict each other',
      { bytes: 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\ncontent-length: 1\r\n\r\nx' },
    ],
    [
      'it is chunked and has a length',
      {
        bytes:
          'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      },
    ],
    ['it is kept for no time at all', { status: 200, headers: { 'keep-alive': 'timeout=0' } }],
  ] as const)('is not used again when %s', async (_name, act) => {
    expect(await attempt(act)).toMatchObject({ status: 200, error: null })
    expect(await sender.send(receiver.url, ping, secrets)).toMatchObject({ status: 200 })
    expect(receiver.connections).toBe(2)
  })

  test('is used again after an answer in chunks, however it was cut', async () => {
    expect(await attempt('chunked')).toMatchObject({ status: 200, answer: 'abcde' })
    expect(await sender.send(receiver.url, ping, secrets)).toMatchObject({ answer: 'abcde' })
    expect(receiver.connections).toBe(1)
  })

  test('on which bytes came that nobody asked for is closed, and they answer nothing', async () => {
    await attempt(200)
    receiver.sayToAll('HTTP/1.1 500 Too Late\r\ncontent-length: 0\r\n\r\n')
    await expect.poll(() => receiver.open()).toBe(0)
    expect(await sender.send(receiver.url, ping, secrets)).toMatchObject({ status: 200 })
    expect(receiver.connections).toBe(2)
  })

  test('that the receiver closed while it was idle is replaced', async () => {
    await attempt(200)
    receiver.closeAll()
    await expect.poll(() => receiver.open()).toBe(0)
    expect(await sender.send(receiver.url, ping, secrets)).toMatchObject({ status: 200 })
    expect(receiver.received).toHaveLength(2)
  })
})
