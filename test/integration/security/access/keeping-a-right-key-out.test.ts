import { expect, test } from 'vitest'
import type { CreatedApiKey } from '../../../helpers/answers.ts'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'

describeOnDatabase('a stranger behind the same address as a customer', (database) => {
  const product = useProduct(database)

  test('cannot keep out a right key by guessing keys', async () => {
    const workspace = await addWorkspace(product, { plan: 'klinik_pro' })
    const made = await product.call<CreatedApiKey>('/api/v1/api-keys', {
      token: workspace.token,
      body: { name: 'Till' },
    })
    const call = (token: string) => product.call('/api/v1/credits', { token })
    for (let guess = 0; guess < 20; guess += 1) await call(`svc_live_${guess}`)
    expect((await call('svc_live_x')).status).toBe(429)
    // At once, as a till does after a restart of the process: none is refused for another.
    const { key } = made.body
    const answers = await Promise.all(Array.from({ length: 5 }, () => call(key)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect((await call('svc_live_x')).status).toBe(429)
  })
})
