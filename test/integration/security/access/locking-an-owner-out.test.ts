import { expect, test } from 'vitest'
import type { Problem } from '../../../helpers/answers.ts'
import { timeStep, totp } from '../../../../server/platform/two-factor/totp.ts'
import { fromBase32 } from '../../../helpers/base32.ts'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'

const PASSWORD = 'a long password'

describeOnDatabase('a stranger who knows the e-mail of an owner', (database) => {
  const product = useProduct(database, {
    settings: { LIMIT_AUTH: '5', TRUSTED_PROXIES: '127.0.0.1' },
  })
  const signIn = (email: string, address: string, password = PASSWORD) =>
    product.call('/api/v1/auth/login', {
      headers: { 'x-forwarded-for': address },
      body: { email, password },
    })

  test('cannot lock the owner out of networks from which the owner signs in', async () => {
    const { email } = await addWorkspace(product)
    expect((await signIn(email, '198.51.100.7')).status).toBe(200)
    // Two of the twenty attempts were the owner's own.
    for (let stranger = 1; stranger <= 18; stranger += 1) {
      expect((await signIn(email, `203.0.113.${stranger}`, 'a guess')).status).toBe(401)
    }
    expect((await signIn(email, '203.0.113.99', 'a guess')).status).toBe(429)
    expect((await signIn(email, '192.0.2.1')).status).toBe(429)
    expect((await signIn(email, '198.51.100.200')).status).toBe(200)
  })

  test('gets twenty codes an hour with the password, from the owner’s network too', async () => {
    const { email, token } = await addWorkspace(product)
    expect((await signIn(email, '198.51.102.1')).status).toBe(200)
    const base = '/api/v1/account/two-factor'
    const body = { password: PASSWORD }
    const { body: started } = await product.call<{ secret: string }>(base, { token, body })
    const code = totp(fromBase32(started.secret), timeStep(Date.now()))
    await product.call(`${base}/confirm`, { token, body: { code } })
    const statuses = []
    for (let guess = 0; guess < 21; guess += 1) {
      const answer = await product.call<Problem>('/api/v1/auth/login', {
        headers: { 'x-forwarded-for': `198.51.102.${10 + guess}` },
        body: { email, password: PASSWORD, code: `${100_000 + guess}` },
      })
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 401), 429])
  })

  test('still gets five guesses a minute from the network of the owner', async () => {
    const { email } = await addWorkspace(product)
    expect((await signIn(email, '198.51.101.1')).status).toBe(200)
    const statuses = []
    for (let guess = 0; guess < 6; guess += 1) {
      statuses.push((await signIn(email, '198.51.101.9', 'a guess')).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  })
})
