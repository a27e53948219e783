import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import type { Problem } from '../../../helpers/answers.ts'
import { addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'

describeOnDatabase('a stranger who sends a compressed body', (database) => {
  const product = useProduct(database)

  test('is told that it is not taken, on every route with a body', async () => {
    const { token } = await addWorkspace(product)
    const raw = new Uint8Array(gzipSync('{"name":"Shop","tenant_id":"packed","locale":"tr"}'))
    const headers = { 'content-encoding': 'gzip' }
    const answer = await product.call<Problem>('/api/v1/tenants', { token, raw, headers })
    expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type'])
    const plain = { 'content-encoding': 'identity' }
    const taken = await product.call('/api/v1/tenants', {
      token,
      body: { name: 'Shop', tenant_id: `plain-${Date.now()}`, locale: 'tr' },
      headers: plain,
    })
    expect(taken.status).toBe(201)
  })
})
