import { beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '../../../server/lib/durations.ts'
import type { TokenAnswer } from '../../../server/platform/schema.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

describeOnDatabase('who stays signed in', (database) => {
  const clock = new TestClock(Date.UTC(2026, 4, 11, 9))
  let workspace: TestWorkspace

  const product = useProduct(database, { clock })
  beforeAll(async () => {
    workspace = await addWorkspace(product)
  })

  async function signIn(): Promise<TokenAnswer> {
    const body = { email: workspace.email, password: 'a long password' }
    return (await product.call<TokenAnswer>('/api/v1/auth/token', { body })).body
  }
  const refresh = (refresh_token: string) =>
    product.call<TokenAnswer>('/api/v1/auth/refresh', { body: { refresh_token } })
  const me = async (token: string) => (await product.call('/api/v1/auth/me', { token })).status

  test('trades a refresh token for new tokens, again and again', async () => {
    const first = await signIn()
    const { status, body: second } = await refresh(first.refresh_token)
    expect(status).toBe(200)
    expect(second).toMatchObject({ token_type: 'Bearer', expires_in: 900 })
    expect(second.refresh_token).not.toBe(first.refresh_token)
    clock.move(899_000)
    expect(await me(first.access_token)).toBe(200)
    expect(await me(second.access_token)).toBe(200)
    clock.move(2_000)
    expect(await me(second.access_token)).toBe(401)
    const { body: third } = await refresh(second.refresh_token)
    expect(await me(third.access_token)).toBe(200)
  })

  test('is signed out everywhere in that family when a spent token comes back', async () => {
    const first = await signIn()
    const elsewhere = await signIn()
    const { body: second } = await refresh(first.refresh_token)
    const stolen = await refresh(first.refresh_token)
    expect([stolen.status, Object(stolen.body).code]).toEqual([401, 'unauthenticated'])
    expect((await refresh(second.refresh_token)).status).toBe(401)
    expect(await me(first.access_token)).toBe(401)
    expect(await me(second.access_token)).toBe(401)
    expect(await me(elsewhere.access_token)).toBe(200)
  })

  test('gets one new pair when the same token is sent twice at once, and no third way in', async () => {
    const first = await signIn()
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(first.refresh_token)))
    const given = answers.filter(({ status }) => status === 200)
    expect(given.length).toBe(1)
    expect(answers.filter(({ status }) => status === 401).length).toBe(7)
    expect(await me(given[0]?.body.access_token ?? '')).toBe(401)
  })

  test('signs in again after 30 days', async () => {
    const { refresh_token } = await signIn()
    clock.move(30 * DAY_MS - 1)
    const renewed = await refresh(refresh_token)
    expect(renewed.status).toBe(200)
    const late = await signIn()
    clock.move(30 * DAY_MS)
    expect((await refresh(late.refresh_token)).status).toBe(401)
  })

  test('is refused with a token that never was one', async () => {
    const { access_token } = await signIn()
    for (const token of ['x', 'é', access_token.slice(0, 200), "' or 1=1 --"]) {
      expect([token, (await refresh(token)).status]).toEqual([token, 401])
    }
    for (const body of [
      { refresh_token: '' },
      { refresh_token: null },
      { refresh_token: 'x', more: 1 },
    ]) {
      expect((await product.call('/api/v1/auth/refresh', { body })).status).toBe(422)
    }
  })
})
