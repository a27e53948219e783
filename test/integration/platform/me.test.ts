import { expect, test } from 'vitest'
import type { Problem, Workspace } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { OPERATOR_TOKEN, addWorkspace, startTestProduct } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

const PLANS = [
  { plan: 'starter', credits: 500, features: ['prompts', 'chatbot'] },
  { plan: 'klinik_pro', credits: 20_000 },
  { plan: 'ajans_pro', credits: 40_000 },
  { plan: 'eticaret_pro', credits: 30_000 },
  { plan: 'enterprise', credits: 100_000 },
]
const EVERYTHING = ['prompts', 'bots', 'chatbot', 'social', 'memory']

describeOnDatabase('who asks who they are', (database) => {
  const clock = new TestClock(Date.UTC(2026, 11, 31, 23, 59, 59, 999))
  const product = useProduct(database, { clock })

  test('reads exactly the user, the workspace, the credits and the features of the plan', async () => {
    for (const { plan, credits, features = EVERYTHING } of PLANS) {
      const workspace = await addWorkspace(product, { plan })
      const { status, body } = await product.call('/api/v1/auth/me', { token: workspace.token })
      expect(status).toBe(200)
      expect(body).toEqual({
        user: {
          id: expect.stringMatching(/^usr_[0-9A-Za-z]{22,}$/),
          email: workspace.email,
          name: 'Owner',
          plan,
          role: 'owner',
        },
        workspace: {
          id: expect.stringMatching(/^ws_[0-9A-Za-z]{22,}$/),
          name: expect.stringMatching(/^Workspace /),
          locale: 'tr',
        },
        credits: {
          remaining: credits,
          monthly_limit: credits,
          reset_at: '2027-01-01T00:00:00.000Z',
          addons: 0,
        },
        features,
      })
    }
  })
})

describeOnDatabase('the operator of the installation', (database) => {
  const product = useProduct(database)

  const path = '/api/v1/operator/workspaces'
  const body = {
    name: 'Klinik',
    plan: 'klinik_pro',
    locale: 'tr',
    owner: { email: 'ayse@example.com', name: 'Ayşe', password: 'a long password' },
  }

  test('opens a workspace with its owner, once per e-mail', async () => {
    const opened = await product.call<Workspace>(path, { token: OPERATOR_TOKEN, body })
    expect(opened.status).toBe(201)
    expect(opened.body).toMatchObject({
      ws_id: expect.stringMatching(/^ws_/),
      plan: 'klinik_pro',
      owner: { email: 'ayse@example.com', name: 'Ayşe' },
      credits: { remaining: 20_000, held: 0 },
    })
    expect(opened.text).not.toMatch(/password|argon/)
    const again = await product.call<Problem>(path, {
      token: OPERATOR_TOKEN,
      body: { ...body, owner: { ...body.owner, email: 'AYSE@example.com' } },
    })
    expect([again.status, again.body.code]).toEqual([409, 'conflict'])
    const read = await product.call(`${path}/${opened.body.ws_id}`, { token: OPERATOR_TOKEN })
    expect(read.body).toMatchObject({ name: 'Klinik', plan: 'klinik_pro' })
  })

  test('opens two workspaces for one e-mail never, even at the same moment', async () => {
    const owner = { ...body.owner, email: 'race@example.com' }
    const answers = await Promise.all(
      [1, 2, 3].map(() => product.call(path, { token: OPERATOR_TOKEN, body: { ...body, owner } })),
    )
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201, 409, 409,
    ])
  })

  test('is the only one: any other token is refused', async () => {
    const workspace = await addWorkspace(product, { plan: 'enterprise' })
    for (const token of [workspace.token, `${OPERATOR_TOKEN}x`, OPERATOR_TOKEN.slice(0, -1)]) {
      const answer = await product.call<Problem>(path, { token, body })
      expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated'])
    }
    expect((await product.call(path, { body })).status).toBe(401)
  })

  test('is told what does not fit, field by field', async () => {
    const answer = await product.call<Problem>(path, {
      token: OPERATOR_TOKEN,
      body: {
        ...body,
        plan: 'gold',
        monthly_credits: 1.5,
        owner: { ...body.owner, password: 'short' },
        more: 1,
      },
    })
    expect(answer.status).toBe(422)
    expect(answer.body.errors?.map((error) => error.path).toSorted()).toEqual([
      '/monthly_credits',
      '/more',
      '/owner/password',
      '/plan',
    ])
    const one = `${path}/ws_0000000000000000000000`
    expect((await product.call(one, { token: OPERATOR_TOKEN })).status).toBe(404)
    expect(
      (
        await product.call(one, {
          token: OPERATOR_TOKEN,
          method: 'PATCH',
          body: { plan: 'starter' },
        })
      ).status,
    ).toBe(404)
    expect(
      (
        await product.call(`${one}/addons`, {
          token: OPERATOR_TOKEN,
          body: { credits: 1, reference: 'r' },
        })
      ).status,
    ).toBe(404)
    expect(
      (await product.call(one, { token: OPERATOR_TOKEN, method: 'PATCH', body: {} })).status,
    ).toBe(422)
  })

  test('has no routes at all where no operator token is set', async () => {
    const without = await startTestProduct(await database.create(), {
      settings: { OPERATOR_TOKEN: '' },
    })
    try {
      for (const token of [OPERATOR_TOKEN, '']) {
        const answer = await without.call<Problem>(path, { token, body })
        expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
      }
    } finally {
      await without.stop()
    }
  })
})
