import { expect, test } from 'vitest'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { addVisitor, addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'

describeOnDatabase('an address that opens streams without end', (database) => {
  const product = useProduct(database, {
    settings: { LIMIT_STREAMS: '2', TRUSTED_PROXIES: '127.0.0.1', LIMIT_EXECUTE: '0' },
  })

  test('gets 429 above the bound, and room again when it closes one', async () => {
    const workspace = await addWorkspace(product)
    const open = async (address: string) => {
      const closing = new AbortController()
      const response = await fetch(`${product.url}/api/v1/live`, {
        headers: { authorization: `Bearer ${workspace.token}`, 'x-forwarded-for': address },
        signal: closing.signal,
      })
      const { status, headers } = response
      // The collector of garbage closes the stream of a response that nobody holds.
      return { response, status, headers, close: () => closing.abort() }
    }
    const [one, two, three] = [
      await open('203.0.113.1'),
      await open('203.0.113.1'),
      await open('203.0.113.1'),
    ]
    expect([one.status, two.status, three.status]).toEqual([200, 200, 429])
    const shown = ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']
    expect(shown.map((name) => three.headers.get(name))).toEqual(['5', '2', '0', '5'])
    const elsewhere = await open('203.0.113.2')
    expect(elsewhere.status).toBe(200)
    // An answer that is not streamed holds nothing open; one that is streamed counts.
    const token = await addVisitor(product, workspace)
    const say = (stream: boolean) =>
      product.call('/api/v1/chatbot/message', {
        token,
        headers: { 'x-forwarded-for': '203.0.113.1' },
        body: { tenant_id: workspace.tenantId, message: 'Hello?', stream },
      })
    expect((await say(false)).status).toBe(200)
    const sessions = () => product.call<{ data: unknown[] }>('/api/v1/chatbot/sessions', { token })
    const before = (await sessions()).body.data.length
    expect((await say(true)).status).toBe(429)
    expect((await sessions()).body.data).toHaveLength(before)
    one.close()
    await expect.poll(async () => (await say(true)).status).toBe(200)
    two.close()
    elsewhere.close()
  })
})
