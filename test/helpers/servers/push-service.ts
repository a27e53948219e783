import {
  type ECDH,
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, createServer } from 'node:http'

/** A push message as a browser would read it. */
export interface PushedMessage {
  path: string
  headers: IncomingHttpHeaders
  payload: Record<string, string>
  /** The claims of the sender's signed token (RFC 8292). */
  claims: Record<string, unknown>
  /** The sender's public key, in base64url. */
  key: string
}

/** A browser with a subscription at the push service. */
export interface TestBrowser {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

export interface PushService {
  received: PushedMessage[]
  /** The statuses of the next answers; 201 after them. */
  answers: number[]
  /** The `Retry-After` of answers that are no success. */
  retryAfter?: string
  subscribe(): TestBrowser
  close(): Promise<void>
}

const TAG_BYTES = 16

/** Starts a push service on loopback that decrypts and verifies like the browsers behind it. */
export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, { ecdh: ECDH; auth: Buffer }>()
  let base = ''
  async function take(request: IncomingMessage): Promise<number> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const path = request.url ?? ''
    const browser = browsers.get(path)
    const status = browser ? (service.answers.shift() ?? 201) : 410
    if (browser && status === 201) {
      const { claims, key } = readToken(request.headers.authorization ?? '')
      const payload = decrypt(Buffer.concat(chunks), browser)
      service.received.push({ path, headers: request.headers, payload, claims, key })
    }
    return status
  }
  const server = createServer((request, response) => {
    void take(request).then((status) => {
      const { retryAfter } = service
      const headers = status > 299 && retryAfter ? { 'retry-after': retryAfter } : {}
      response.writeHead(status, headers).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  base = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const service: PushService = {
    received: [],
    answers: [],
    subscribe() {
      const ecdh = createECDH('prime256v1')
      ecdh.generateKeys()
      const auth = randomBytes(16)
      const path = `/push/${randomBytes(12).toString('base64url')}`
      browsers.set(path, { ecdh, auth })
      return {
        endpoint: base + path,
        keys: {
          p256dh: ecdh.getPublicKey('base64url'),
          auth: auth.toString('base64url'),
        },
      }
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return service
}

/** Decrypts `aes128gcm` with one record (RFC 8188) and the keys of RFC 8291. */
function decrypt(
  body: Buffer,
  { ecdh, auth }: { ecdh: ECDH; auth: Buffer },
): Record<string, string> {
  const salt = body.subarray(0, 16)
  const keyLength = body[20] ?? 0
  const sender = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender])
  const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(sender), auth, info, 32))
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, length))
  const cipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  cipher.setAuthTag(record.subarray(-TAG_BYTES))
  const padded = Buffer.concat([cipher.update(record.subarray(0, -TAG_BYTES)), cipher.final()])
  const text = padded.subarray(0, padded.lastIndexOf(2)).toString()
  return JSON.parse(text)
}

/** Verifies the sender's token; throws for a wrong signature. */
function readToken(header: string): { claims: Record<string, unknown>; key: string } {
  const [, token = '', key = ''] = /^vapid t=([^,\s]+), ?k=(\S+)$/.exec(header) ?? []
  const [head = '', body = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const coordinate = (start: number) => point.subarray(start, start + 32).toString('base64url')
  const publicKey = createPublicKey({
    format: 'jwk',
    key: { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) },
  })
  const isRight = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isRight) throw new Error('The signature of the push message is wrong.')
  return { claims: JSON.parse(Buffer.from(body, 'base64url').toString()), key }
}
