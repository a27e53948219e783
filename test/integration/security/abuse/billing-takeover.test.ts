import { beforeEach, expect, test } from 'vitest'
import type { CreatedIntegration, CreditsAnswer, Me } from '../../../helpers/answers.ts'
import { TestClock } from '../../../helpers/clock.ts'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { OPERATOR_TOKEN, type TestWorkspace, addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'
import {
  nextNumber,
  paidCheckout,
  priceOf,
  subscription,
} from '../../integrations/notifications.ts'
import { openIntegration, tell } from '../../integrations/setup.ts'

const KEY = 'a-key-of-the-workspace-itself'
const ENDED = new Set(['done', 'failed', 'cancelled'])

describeOnDatabase('a workspace with a billing integration', (database) => {
  const clock = new TestClock(Date.UTC(2027, 0, 5, 10))
  let workspace: TestWorkspace
  const product = useProduct(database, { clock, settings: { LIMIT_HOOKS: '0' } })
  beforeEach(async () => {
    workspace = await addWorkspace(product)
  })

  const allow = async (opened: CreatedIntegration, body: object = {}) => {
    const path = `/api/v1/operator/integrations/${opened.integration_id}`
    const answer = await product.call<CreatedIntegration & { workspaces: string[] }>(path, {
      method: 'PATCH',
      token: OPERATOR_TOKEN,
      body: { billing: true, ...body },
    })
    return answer.body
  }
  const change = (opened: CreatedIntegration, body: object) =>
    product.call<{ billing: boolean }>(`/api/v1/integrations/${opened.integration_id}`, {
      method: 'PATCH',
      token: workspace.token,
      body,
    })
  const addons = async (of = workspace) =>
    (await product.call<CreditsAnswer>('/api/v1/credits', { token: of.token })).body.addons
  const ended = async (opened: CreatedIntegration) => {
    const path = `/api/v1/integrations/${opened.integration_id}/events`
    const { body } = await product.call<{ data: { state: string; error: string | null }[] }>(path, {
      token: workspace.token,
    })
    return body.data.filter(({ state }) => ENDED.has(state)).map(({ error }) => error)
  }
  const purchase = (metadata: Record<string, string> = {}) =>
    paidCheckout({ metadata: { credits: '500', reference: `order-${nextNumber()}`, ...metadata } })

  test.each([
    ['its signing secret', { settings: { signing_secret: KEY } }],
    ['its name', { name: 'Shop' }],
    ['its state', { active: true }],
  ])('ends the permission by a change of %s', async (_name, patch) => {
    const stripe = await openIntegration(product, workspace, 'stripe')
    const allowed = await allow(stripe)
    const changed = await change(stripe, patch)
    expect(changed).toMatchObject({ status: 200, body: { billing: false } })
    const secret = 'settings' in patch ? KEY : allowed.secret
    expect((await tell(product, stripe, purchase(), { secret })).status).toBe(200)
    await expect.poll(() => ended(stripe)).toEqual([null])
    expect(await addons()).toBe(0)
  })

  test.each(['stripe', 'generic'])('knows no secret that still counts: %s', async (kind) => {
    const field = kind === 'stripe' ? 'signing_secret' : 'secret'
    const opened = await openIntegration(product, workspace, kind, { [field]: KEY })
    const { secret } = await allow(opened)
    expect([KEY, opened.secret]).not.toContain(secret)
    for (const known of [KEY, opened.secret]) {
      expect((await tell(product, opened, purchase(), { secret: known })).status).toBe(401)
    }
    const path = `/api/v1/integrations/${opened.integration_id}`
    const shown = await product.call(path, { token: workspace.token })
    expect(shown.text).not.toContain(secret)
    expect((await allow(opened)).secret).toBeUndefined()
  })

  test('is billed with the secret that Stripe issued to the operator', async () => {
    const stripe = await openIntegration(product, workspace, 'stripe')
    await allow(stripe, { signing_secret: 'whsec_of_the_operator' })
    const options = { secret: 'whsec_of_the_operator' }
    expect((await tell(product, stripe, purchase(), options)).status).toBe(200)
    await expect.poll(() => addons()).toBe(500)
  })

  test('gains nothing from events that it signed before the permission', async () => {
    const generic = await openIntegration(product, workspace, 'generic')
    const body = {
      id: 'forged',
      event: 'payment.succeeded',
      data: { payment_id: 'p', amount: 1, currency: 'EUR', credits: 900, reference: 'forged' },
    }
    await tell(product, generic, body)
    await expect.poll(() => ended(generic)).toEqual([null])
    await allow(generic)
    expect(await addons()).toBe(0)
  })

  test('reaches only the workspaces that the operator listed', async () => {
    const [listed, other] = [await addWorkspace(product), await addWorkspace(product)]
    const stripe = await openIntegration(product, workspace, 'stripe')
    const { secret, workspaces } = await allow(stripe)
    expect(workspaces).toEqual([workspace.id])
    const refusal = 'The operator has not listed this workspace for the integration.'
    await tell(product, stripe, purchase({ ws_id: other.id }), { secret })
    const now = {
      items: { data: [{ price: priceOf('ajans_pro', 300) }] },
      metadata: { ws_id: other.id },
    }
    const before = { items: { data: [{ price: priceOf('klinik_pro', 100) }] } }
    await tell(product, stripe, subscription('updated', now, before), { secret })
    await tell(product, stripe, subscription('deleted', now), { secret })
    await expect.poll(() => ended(stripe)).toEqual([refusal, refusal, refusal])
    expect(await addons(other)).toBe(0)
    const me = await product.call<Me>('/api/v1/auth/me', { token: other.token })
    expect(me.body.user.plan).toBe('klinik_pro')

    expect((await allow(stripe, { workspaces: [listed.id] })).workspaces).toEqual([listed.id])
    await tell(product, stripe, purchase({ ws_id: listed.id }), { secret })
    await expect.poll(() => addons(listed)).toBe(500)
    expect(await addons()).toBe(0)
  })
})
