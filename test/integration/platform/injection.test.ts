import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import type { CreatedApiKey } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

const ME = '/api/v1/auth/me'
const RULES = '/api/v1/webhooks/rules-engine/rules'

describeOnDatabase('a request with strange credentials', (database) => {
  let workspace: TestWorkspace
  let key: string

  const product = useProduct(database)
  beforeAll(async () => {
    workspace = await addWorkspace(product)
    const made = await product.call<CreatedApiKey>('/api/v1/api-keys', {
      token: workspace.token,
      body: { name: 'CRM' },
    })
    key = made.body.key
    // Used once, so that no guess from the same address can shut it out.
    await product.call(ME, { token: key })
  })

  /** Sends a head byte for byte; answers the status and everything that came back. */
  async function send(path: string, lines: readonly string[]): Promise<[number, string]> {
    const socket = connect(Number(new URL(product.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    const head = [`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...lines, '', '']
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk
    })
    socket.write(Buffer.from(head.join('\r\n'), 'latin1'))
    await once(socket, 'close')
    return [Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]), text]
  }

  test('is let in with one good header, whatever its case', async () => {
    expect((await send(ME, [`Authorization: Bearer ${key}`]))[0]).toBe(200)
    expect((await send(ME, [`aUTHORIZATION: bearer   ${key}  `]))[0]).toBe(200)
    expect((await send(RULES, [`X-API-Key: ${key}`]))[0]).toBe(200)
  })

  test('is not let in with two of them, in any order', async () => {
    const good = `Authorization: Bearer ${key}`
    const bad = 'authorization: Bearer x'
    for (const lines of [
      [good, bad],
      [bad, good],
      [good, good],
      [`Authorization: Bearer ${workspace.token}`, good],
    ]) {
      expect((await send(ME, lines))[0]).toBe(401)
    }
    const twice = [`X-API-Key: ${key}`, `X-API-Key: ${key}`]
    expect((await send(RULES, twice))[0]).toBe(401)
  })

  test('is not let in with more or less than a key, and learns nothing of it', async () => {
    for (const value of [
      '',
      'Bearer',
      'Bearer ',
      `Bearer ${key} x`,
      `Bearer ${key},${key}`,
      `Bearer "${key}"`,
      `Bearer ${key.slice(0, -1)}`,
      `Bearer ${key}0`,
      `Bearer ${key.toUpperCase()}`,
      `Bearer svc_live_${"' or 1=1 --".padEnd(50, '-')}`,
      `Bearer svc_live_%00${key.slice(12)}`,
      `Bearer ${key.replace('svc_live_', 'svc_test_')}`,
      `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
      `Token ${key}`,
      key,
      `Bearer\t${key}`,
      `Bearer ${key}\u00a0`,
      `Bearer svc_live_${'\u00e9'.repeat(50)}`,
      `Bearer svc_live_${'a'.repeat(8_000)}`,
      `Bearer ${'a'.repeat(12_000)}`,
      `Bearer ${'e30.'.repeat(3_000)}`,
    ]) {
      const [status, text] = await send(ME, [`Authorization: ${value}`])
      expect([value.slice(0, 60), status]).toEqual([value.slice(0, 60), 401])
      expect(text).not.toContain(key)
    }
  })

  test('is refused as no HTTP where a header is none', async () => {
    for (const lines of [
      [`Authorization: Bearer ${key}\0`],
      [`Authorization: Bearer \0${key}`],
      [`Authorization: Bearer x\rX-API-Key: ${key}`],
      [`Authorization : Bearer ${key}`],
      [`Authorization: Bearer ${'a'.repeat(40_000)}`],
    ]) {
      const [status, text] = await send(ME, lines)
      expect([400, 401, 431]).toContain(status)
      expect(text).not.toContain(key)
    }
    const split = await send(ME, ['Authorization: Bearer x', `X-API-Key: ${key}`])
    expect(split[0]).toBe(401)
  })
})
