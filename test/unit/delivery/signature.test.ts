import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import {
  chatBody,
  platformBody,
  platformSignature,
  signedHeaders,
  standardSignature,
} from '../../../server/delivery/signature.ts'
import { standardSecret } from '../../../server/lib/standard-webhooks.ts'

const NOW = 1_700_000_000_000

describe('the platform family', () => {
  test.each([
    ['{"a":1}', 'sha256=2e28c5d85bb77a7718ceb3b794e5a5438088a17468b9a2f43fd5adb7576dd728'],
    ['', 'sha256=1f58750c896e9579307b5d698023a60376ede8aa1e602688e48aa7405ff1ee09'],
  ])('signs the timestamp, a dot and the raw body %j', (body, signature) => {
    expect(platformSignature('whsec_test_7f3c2a9e', 1_700_000_000, body)).toBe(signature)
  })

  test('sends its four headers and a body of event, created_at and data', () => {
    const body = platformBody({ event: 'ping', at: NOW, data: {} })
    expect(body).toBe('{"event":"ping","created_at":"2023-11-14T22:13:20.000Z","data":{}}')
    const sent = { family: 'platform', id: 'evt_1', event: 'ping', body, now: NOW + 999 } as const
    const headers = signedHeaders(sent, { current: 'secret' })
    expect(headers).toMatchObject({
      'X-SVC-Event': 'ping',
      'X-SVC-Delivery': 'evt_1',
      'X-SVC-Timestamp': '1700000000',
      'X-SVC-Signature': platformSignature('secret', 1_700_000_000, body),
    })
    expect(headers).not.toHaveProperty('X-CHAT-Signature')
  })
})

describe('the chat family', () => {
  const secret = 'a secret of a rule'
  const body = chatBody(secret, {
    event: 'lead.created',
    id: 'wh_1',
    at: NOW,
    data: { name: 'Çağrı "Öz" 😀', interest: 'signature' },
  })

  test('signs the compact body without its last field, and the raw body in the header', () => {
    const parsed: unknown = JSON.parse(body)
    expect(Object.keys(Object(parsed))).toEqual([
      'event',
      'webhook_id',
      'timestamp',
      'data',
      'signature',
    ])
    const { signature, ...rest } = Object(parsed)
    const hmac = (text: string) => createHmac('sha256', secret).update(text, 'utf8').digest('hex')
    expect(signature).toBe(`sha256=${hmac(JSON.stringify(rest))}`)
    const sent = { family: 'chat', id: 'wh_1', event: 'lead.created', body, now: NOW } as const
    const headers = signedHeaders(sent, { current: secret })
    expect(headers).toMatchObject({ 'X-CHAT-Signature': `sha256=${hmac(body)}` })
    expect(headers).not.toHaveProperty('X-SVC-Signature')
  })
})

describe('Standard Webhooks', () => {
  test('agrees with the vector of its specification', () => {
    const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')
    const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
    expect(standardSignature(key, id, 1_614_265_330, '{"test": 2432232314}')).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    )
  })

  test.each(['new secret, çok gizli', 'the old secret it replaced'])(
    'is verified by its public library with %j while a rotation overlaps',
    (secret) => {
      const body = '{"a":"ğ"}'
      const now = Date.now()
      const sent = { family: 'chat', id: 'wh_2', event: 'lead.created', body, now } as const
      const headers = signedHeaders(sent, {
        current: 'new secret, çok gizli',
        previous: ['the old secret it replaced'],
      })
      expect(new Webhook(standardSecret(secret)).verify(body, headers)).toEqual({ a: 'ğ' })
    },
  )
})
