import { expect, test } from 'vitest'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { METRICS_TOKEN, OPERATOR_TOKEN } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'

describeOnDatabase('a stranger who guesses the operator token', (database) => {
  const product = useProduct(database)
  const call = (token: string) => product.call('/api/v1/operator/workspaces', { token })

  test('has twenty guesses a minute, and keeps the operator from nothing', async () => {
    for (let guess = 0; guess < 20; guess += 1) {
      expect((await call(`a-guess-${guess}`)).status).toBe(401)
    }
    const late = await call('one-more-guess')
    expect(late.status).toBe(429)
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await call(OPERATOR_TOKEN)).status).toBe(200)
  })

  test('has twenty guesses at the token of the metrics too', async () => {
    const scrape = (token: string) => product.call('/metrics', { token })
    for (let guess = 0; guess < 20; guess += 1) {
      expect((await scrape(`a-guess-${guess}`)).status).toBe(401)
    }
    expect((await scrape('one-more-guess')).status).toBe(429)
    expect((await scrape(METRICS_TOKEN)).status).toBe(200)
  })
})
