import { connect } from 'node:net'
import { once } from 'node:events'
import { beforeAll, expect, test } from 'vitest'
import type { Problem } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import {
  type Answer,
  type CallOptions,
  type TestWorkspace,
  addVisitor,
  addWorkspace,
} from '../../helpers/product.ts'
import { withoutRandomParts } from '../../helpers/random-parts.ts'
import { useProduct } from '../../helpers/use-product.ts'

/** `fetch` requires this option to stream a body. */
const STREAMED = { duplex: 'half' }
const MESSAGE = '/api/v1/chatbot/message'

describeOnDatabase('a request that cannot be served', (database) => {
  let workspace: TestWorkspace
  let visitor: string

  const product = useProduct(database)
  beforeAll(async () => {
    workspace = await addWorkspace(product)
    visitor = await addVisitor(product, workspace)
  })

  /** Calls, and checks the shape that every problem has. */
  async function refused(path: string, options: CallOptions = {}): Promise<Answer<Problem>> {
    const answer = await product.call<Problem>(path, options)
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    const { body, status, headers } = answer
    expect(body).toMatchObject({
      type: expect.stringContaining(body.code),
      title: expect.any(String),
      status,
      detail: expect.stringMatching(/\S/),
      code: expect.stringMatching(/^[a-z_]+$/),
      request_id: headers.get('x-request-id'),
    })
    expect(withoutRandomParts(answer.text)).not.toMatch(
      /node_modules|\.ts:\d|select |insert |stack/i,
    )
    return answer
  }
  const codeOf = ({ status, body }: Answer<Problem>) => [status, body.code]
  const send = (raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    refused(MESSAGE, { token: visitor, raw, headers })

  test('is told that its JSON is broken', async () => {
    for (const raw of [
      '{',
      '{"tenant_id":}',
      '',
      'tenant_id=x',
      '{"a":1}{"b":2}',
      '{"a":01}',
      "{'a':1}",
      '{"a":1,}',
      '{"__proto__":{"x":1}}',
      '{"a":{"constructor":{"prototype":{}}}}',
      '['.repeat(100_000),
    ]) {
      expect([raw.slice(0, 20), ...codeOf(await send(raw))]).toEqual([
        raw.slice(0, 20),
        400,
        'malformed_request',
      ])
    }
    for (const raw of ['[]', 'null', '"text"', '5']) {
      expect([raw, ...codeOf(await send(raw))]).toEqual([raw, 422, 'validation_failed'])
    }
  })

  test('is told that its bytes are no UTF-8', async () => {
    const start = Buffer.from(`{"tenant_id":"${workspace.tenantId}","message":"`)
    for (const bytes of [
      [0xff],
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xe2, 0x82],
    ]) {
      const raw = new Uint8Array(Buffer.concat([start, Buffer.from(bytes), Buffer.from('"}')]))
      expect(codeOf(await send(raw))).toEqual([400, 'malformed_request'])
    }
    const utf16 = new Uint8Array(Buffer.from('{"tenant_id":"x"}', 'utf16le'))
    expect(codeOf(await send(utf16))).toEqual([400, 'malformed_request'])
  })

  test('is told where NUL or half a character is, wherever it hides', async () => {
    for (const bad of ['\\u0000', '\\ud800', '\\uDC00 x', 'x\\uD83D\\u0041']) {
      const message = await send(`{"tenant_id":"${workspace.tenantId}","message":"a${bad}"}`)
      expect(codeOf(message)).toEqual([422, 'validation_failed'])
      expect(message.body.errors?.map(({ path }) => path)).toContain('/message')
    }
    const nested = await refused('/api/v1/tenants', {
      token: workspace.token,
      raw: '{"tenant_id":"nul-tenant","name":"N","theme":{"logo_url":"https://x.example/\\u0000"},"quick_replies":["a","b\\ud800"]}',
    })
    expect(nested.body.errors?.map(({ path }) => path)).toEqual([
      '/theme/logo_url',
      '/quick_replies/1',
    ])
    const inName = await send(`{"tenant_id":"${workspace.tenantId}","message":"a","x\\u0000y":1}`)
    expect(inName.status).toBe(422)
    expect(codeOf(await refused(`/api/v1/tenants/a%00b`, { token: workspace.token }))).toEqual([
      400,
      'malformed_request',
    ])
    expect((await refused(`/api/v1/leads?cursor=%00`, { token: workspace.token })).status).toBe(400)
    const whole = await product.call(MESSAGE, {
      token: visitor,
      raw: `{"tenant_id":"${workspace.tenantId}","message":"\\ud83d\\ude00 merhaba \\\\u0000"}`,
    })
    expect(whole.status).toBe(200)
  })

  test('is told that its body is nested too deep, with an id of its own too', async () => {
    const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`
    for (const levels of [101, 20_000, 100_000]) {
      const answer = await refused('/api/v1/prompts/execute', {
        token: workspace.token,
        raw: `{"prompt_id":"ad-copy","inputs":{"product":${nested(levels)}}}`,
        headers: { 'x-request-id': `nested-${levels}` },
      })
      expect(codeOf(answer)).toEqual([422, 'validation_failed'])
      expect(answer.body.errors).toMatchObject([{ path: '' }])
    }
  })

  test('is told the address of every field that does not fit, unknown ones included', async () => {
    const answer = await send(
      JSON.stringify({
        tenant_id: 'NO',
        message: '  ',
        session_id: 5,
        stream: 'yes',
        'a/b~c': 1,
      }),
    )
    expect(codeOf(answer)).toEqual([422, 'validation_failed'])
    expect(new Set(answer.body.errors?.map(({ path }) => path))).toEqual(
      new Set(['/tenant_id', '/message', '/session_id', '/stream', '/a~1b~0c']),
    )
    for (const error of answer.body.errors ?? []) expect(error.message).toMatch(/\S/)
    const deep = await refused('/api/v1/tenants', {
      token: workspace.token,
      body: {
        tenant_id: 'fine-slug',
        name: 'x',
        theme: { color: 'red', size: 1 },
        allowed_origins: ['https://a.example', 'https://b.example/path'],
      },
    })
    expect(new Set(deep.body.errors?.map(({ path }) => path))).toEqual(
      new Set(['/theme/color', '/theme/size', '/allowed_origins/1']),
    )
    const query = await refused('/api/v1/tenants?limit=0&page=2', { token: workspace.token })
    expect(new Set(query.body.errors?.map(({ path }) => path))).toEqual(
      new Set(['/limit', '/page']),
    )
  })

  test('counts 4000 characters as people do, whatever their bytes', async () => {
    const say = (message: string) =>
      product.call(MESSAGE, { token: visitor, body: { tenant_id: workspace.tenantId, message } })
    expect((await say(`  ${'🙂'.repeat(4_000)}  `)).status).toBe(200)
    expect((await say('🙂'.repeat(4_001))).status).toBe(422)
    expect((await say('ş'.repeat(4_001))).status).toBe(422)
  })

  test('is told that a body is too large, with and without a declared length', async () => {
    const big = `{"tenant_id":"x","message":"${'a'.repeat(256 * 1_024)}"}`
    expect(codeOf(await send(big))).toEqual([413, 'payload_too_large'])
    const response = await fetch(product.url + MESSAGE, {
      method: 'POST',
      headers: { authorization: `Bearer ${visitor}`, 'content-type': 'application/json' },
      ...STREAMED,
      body: new Blob([big]).stream(),
    })
    expect(response.status).toBe(413)
    expect(response.headers.get('content-type')).toContain('problem+json')
    const just = 256 * 1_024 - 30 - workspace.tenantId.length
    const fits = await send(`{"tenant_id":"${workspace.tenantId}","message":"${'a'.repeat(just)}"}`)
    expect(fits.status).toBe(422)
  })

  test('is told which media type is wanted', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'text/json',
      'nonsense',
    ]) {
      const answer = await send('{"a":1}', { 'content-type': type })
      expect([type, ...codeOf(answer)]).toEqual([type, 415, 'unsupported_media_type'])
    }
    const charset = await product.call(MESSAGE, {
      token: visitor,
      body: { tenant_id: workspace.tenantId, message: 'Hello' },
      headers: { 'content-type': 'Application/JSON; charset=utf-8' },
    })
    expect(charset.status).toBe(200)
  })

  test('is told which methods an address takes', async () => {
    const wrong = await refused(MESSAGE, { token: visitor })
    expect(codeOf(wrong)).toEqual([405, 'method_not_allowed'])
    expect(wrong.headers.get('allow')).toBe('POST')
    const tenants = await refused(`/api/v1/tenants/${workspace.tenantId}`, {
      method: 'PUT',
      token: workspace.token,
    })
    expect(codeOf(tenants)).toEqual([405, 'method_not_allowed'])
    expect(tenants.headers.get('allow')?.split(', ').toSorted()).toEqual([
      'DELETE',
      'GET',
      'HEAD',
      'PATCH',
    ])
    const withBody = await refused('/health/live', { method: 'POST', body: {} })
    expect(withBody.status).toBe(405)
  })

  test('is told that there is nothing at an address, whatever else is wrong with it', async () => {
    for (const path of [
      '/api/v1/nothing',
      '/api/v2/chatbot/message',
      '/api/v1/',
      `${MESSAGE}/`,
      '/..%2f..%2fetc/passwd',
      '/.env',
      '/assets/..%2f..%2fpackage.json',
      '/assets/nothing.js',
    ]) {
      expect([path, ...codeOf(await refused(path))]).toEqual([path, 404, 'not_found'])
    }
    expect(codeOf(await refused('/api/v1/nothing', { raw: '{' }))).toEqual([404, 'not_found'])
    const text = await refused('/api/v1/nothing', {
      raw: 'x',
      headers: { 'content-type': 'text/plain' },
    })
    expect(codeOf(text)).toEqual([404, 'not_found'])
    const long = await refused(`/api/v1/tenants/${'x'.repeat(300)}`, { token: workspace.token })
    expect(codeOf(long)).toEqual([404, 'not_found'])
  })

  test('is a problem too when the address itself is broken', async () => {
    for (const path of ['/api/v1/tenants/%zz', '/api/v1/tenants/%', '/api/v1/tenants/%ed%a0%80']) {
      const answer = await refused(path, { token: workspace.token })
      expect([path, ...codeOf(answer)]).toEqual([path, 400, 'malformed_request'])
    }
  })

  /** Sends bytes as they are; answers what comes until the service hangs up. */
  async function exchange(bytes: string): Promise<string> {
    const socket = connect(Number(new URL(product.url).port), '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => (text += String(chunk)))
    socket.on('error', () => undefined).write(bytes)
    await once(socket, 'close')
    return text
  }

  test('is a problem too when it is no HTTP, or names no host', async () => {
    for (const bytes of [
      'nonsense\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(100_000)}\r\n\r\n`,
      'GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n',
    ]) {
      const text = (await exchange(bytes)).toLowerCase()
      expect(text).toMatch(/^http\/1\.1 400 [^]*\r\nx-request-id: /)
      expect(text).toContain('content-type: application/problem+json')
    }
    expect((await product.call('/health/live')).status).toBe(200)
  })

  test('is not one that expects what nobody knows, or is of the first HTTP', async () => {
    for (const head of ['HTTP/1.1\r\nHost: x\r\nExpect: more', 'HTTP/1.0']) {
      const bytes = `GET /health/live ${head}\r\nConnection: close\r\n\r\n`
      expect(await exchange(bytes)).toMatch(/^HTTP\/1\.1 200 /)
    }
  })
})
