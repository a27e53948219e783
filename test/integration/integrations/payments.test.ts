import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CreatedIntegration, CreditsAnswer, Me } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { OPERATOR_TOKEN, type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { type Receiver, startReceiver } from '../../helpers/servers/receiver.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { intent, nextNumber, paidCheckout, priceOf, subscription } from './notifications.ts'
import { openIntegration, tell } from './setup.ts'

const RULES = '/api/v1/webhooks/rules-engine/rules'
const CHAT_EVENTS = ['payment.succeeded', 'payment.failed', 'subscription.plan_changed']
const PAID_AT = '2027-01-05T10:00:00.000Z'

describeOnDatabase('a payment', (database) => {
  const clock = new TestClock(Date.UTC(2027, 0, 5, 10))
  let workspace: TestWorkspace
  let receiver: Receiver
  let stripe: CreatedIntegration
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())
  const product = useProduct(database, {
    clock,
    settings: { ALLOW_PRIVATE_TARGETS: 'true', LIMIT_HOOKS: '0' },
  })
  beforeEach(async () => {
    receiver.received.length = 0
    workspace = await addWorkspace(product)
    const { token } = workspace
    for (const event of CHAT_EVENTS) {
      await product.call(RULES, { token, body: { name: event, event, url: receiver.url } })
    }
    const events = ['subscription.cancelled', 'social.comment.received']
    await product.call('/api/v1/webhooks', { token, body: { url: receiver.url, events } })
    receiver.received.length = 0
    stripe = await openIntegration(product, workspace, 'stripe')
  })

  const heard = () =>
    receiver.received
      .map(({ body }) => JSON.parse(body))
      .filter(({ event }) => event !== 'ping')
      .map(({ event, data }) => ({ event, data }))
  const arrives = (events: object[]) => expect.poll(heard).toEqual(events)
  const addons = async (of = workspace) => {
    const { body } = await product.call<CreditsAnswer>('/api/v1/credits', { token: of.token })
    return body.addons
  }
  const states = async (opened: CreatedIntegration) => {
    const path = `/api/v1/integrations/${opened.integration_id}/events`
    const { body } = await product.call<{ data: { state: string; error: string | null }[] }>(path, {
      token: workspace.token,
    })
    return body.data.map(({ state, error }) => ({ state, error }))
  }
  const allowBilling = async (body: { workspaces?: string[] } = {}) => {
    const path = `/api/v1/operator/integrations/${stripe.integration_id}`
    const answer = await product.call<CreatedIntegration>(path, {
      method: 'PATCH',
      token: OPERATOR_TOKEN,
      body: { billing: true, ...body },
    })
    stripe = { ...stripe, secret: answer.body.secret }
    return answer
  }

  test('of Stripe becomes an event, once, however often and by which events it is told', async () => {
    const checkout = paidCheckout({ payment_intent: 'pi_once', id: 'cs_once' })
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => tell(product, stripe, checkout)),
    )
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    await tell(product, stripe, intent('succeeded', 'pi_once'))
    await tell(product, stripe, intent('payment_failed', 'pi_refused'))
    const payment = {
      tenant_id: workspace.tenantId,
      provider: 'stripe',
      amount: 49_900,
      currency: 'TRY',
    }
    const paid = { payment_id: 'pi_once', customer_email: 'ayse@example.com', paid_at: PAID_AT }
    const refused = {
      payment_id: 'pi_refused',
      customer_email: null,
      reason: 'insufficient_funds',
      failed_at: PAID_AT,
    }
    await expect.poll(() => heard().length).toBe(2)
    expect(heard()).toEqual(
      expect.arrayContaining([
        { event: 'payment.succeeded', data: { ...payment, ...paid } },
        { event: 'payment.failed', data: { ...payment, ...refused } },
      ]),
    )
    await expect
      .poll(async () => (await states(stripe)).filter(({ state }) => state === 'waiting'))
      .toEqual([])
    expect(heard()).toHaveLength(2)
  })

  test('that is not paid yet, or was told by its invoice, is no event', async () => {
    await tell(product, stripe, paidCheckout({ payment_status: 'unpaid' }))
    await tell(product, stripe, paidCheckout({ mode: 'subscription', invoice: 'in_1' }))
    await tell(product, stripe, { ...paidCheckout(), type: 'customer.created' })
    await expect
      .poll(() => states(stripe))
      .toEqual([1, 2, 3].map(() => ({ state: 'done', error: null })))
    expect(heard()).toEqual([])
  })

  test('adds no credits for who could sign it themselves', async () => {
    await tell(product, stripe, paidCheckout({ metadata: { credits: '500' } }))
    await expect.poll(() => heard().length).toBe(1)
    expect(await addons()).toBe(0)
    const own = { method: 'PATCH', token: workspace.token, body: { billing: true } }
    const path = `/api/v1/operator/integrations/${stripe.integration_id}`
    expect((await product.call(path, own)).status).toBe(401)
  })

  test('adds credits once for each reference where the operator lets it', async () => {
    const buyer = await addWorkspace(product)
    const allowed = await allowBilling({ workspaces: [workspace.id, buyer.id] })
    expect(allowed).toMatchObject({ status: 200, body: { billing: true } })
    const metadata = { credits: '500', reference: `order-${nextNumber()}` }
    await tell(product, stripe, paidCheckout({ metadata }))
    await expect.poll(() => addons()).toBe(500)
    await tell(product, stripe, paidCheckout({ metadata }))
    await expect.poll(() => heard().length).toBe(2)
    expect(await addons()).toBe(500)
    const forAnother = { client_reference_id: buyer.id, metadata: { credits: '40' } }
    await tell(product, stripe, paidCheckout(forAnother, 'async_payment_succeeded'))
    await expect.poll(() => addons(buyer)).toBe(40)
    expect(await addons()).toBe(500)
  })

  test('for a workspace that is not there is kept as failed, with the reason', async () => {
    await allowBilling({ workspaces: ['ws_nobody'] })
    const metadata = { credits: '5', ws_id: 'ws_nobody' }
    await tell(product, stripe, paidCheckout({ metadata }))
    await expect
      .poll(() => states(stripe))
      .toEqual([{ state: 'failed', error: 'This workspace does not exist.' }])
  })

  test('of a shape that nobody knows is kept as failed', async () => {
    await tell(product, stripe, paidCheckout({ payment_status: 7 }))
    await expect
      .poll(() => states(stripe))
      .toEqual([{ state: 'failed', error: 'The event has a shape that is not known.' }])
  })

  test("plan of a site's own customers becomes an event, and changes no plan of ours", async () => {
    const gold = { items: { data: [{ price: priceOf('gold', 300) }] } }
    const basic = { items: { data: [{ price: priceOf('basic', 100) }] } }
    await tell(product, stripe, subscription('updated', gold, basic))
    const changed = { previous_plan: 'basic', plan: 'gold', change: 'upgrade', changed_at: PAID_AT }
    await arrives([{ event: 'subscription.plan_changed', data: changed }])
    const end = { cancel_at_period_end: true, cancel_at: 1_801_821_600 }
    await tell(product, stripe, subscription('updated', end, { cancel_at_period_end: false }))
    const ends = { plan: 'basic', ends_at: '2027-02-05T10:00:00.000Z' }
    await expect.poll(() => heard()[1]).toEqual({ event: 'subscription.cancelled', data: ends })
    await tell(product, stripe, subscription('deleted', end))
    await expect
      .poll(async () => (await states(stripe)).map(({ state }) => state))
      .toEqual(['done', 'done', 'done'])
    expect(heard()).toHaveLength(2)
    const me = await product.call<Me>('/api/v1/auth/me', {
      token: workspace.token,
    })
    expect(me.body.user.plan).toBe('klinik_pro')
  })

  test('plan of a workspace changes where the operator lets it, and ends with the subscription', async () => {
    const buyer = await addWorkspace(product)
    await allowBilling({ workspaces: [buyer.id] })
    const metadata = { ws_id: buyer.id }
    const plan = async () =>
      (await product.call<Me>('/api/v1/auth/me', { token: buyer.token })).body.user.plan
    const now = { items: { data: [{ price: priceOf('ajans_pro', 300) }] }, metadata }
    const before = { items: { data: [{ price: priceOf('klinik_pro', 100) }] } }
    await tell(product, stripe, subscription('updated', now, before))
    await expect.poll(plan).toBe('ajans_pro')
    await tell(product, stripe, subscription('deleted', { metadata }))
    await expect.poll(plan).toBe('starter')
    expect(heard()).toEqual([])
  })

  test('of any program of your own is told in our own form', async () => {
    const generic = await openIntegration(product, workspace, 'generic')
    const data = { payment_id: 'order-7', amount: 1_250, currency: 'EUR' }
    const answer = await tell(product, generic, { id: 'e1', event: 'payment.succeeded', data })
    expect(answer).toMatchObject({ status: 200, body: { received: 1 } })
    const told = {
      tenant_id: workspace.tenantId,
      provider: 'generic',
      customer_email: null,
      ...data,
      paid_at: PAID_AT,
    }
    await arrives([{ event: 'payment.succeeded', data: told }])
    const again = await tell(product, generic, { id: 'e1', event: 'payment.succeeded', data })
    expect(again.body.received).toBe(0)
    const comment = {
      platform: 'tiktok',
      account_id: 'a',
      post_id: 'p',
      comment_id: 'c',
      author: 'Mehmet',
      text: 'Harika!',
    }
    await tell(product, generic, { event: 'social.comment.received', data: comment })
    await expect.poll(() => heard()[1]?.data).toEqual(comment)
    // The fields come in the order of the specification.
    expect(JSON.stringify(heard()[1]?.data)).toBe(JSON.stringify(comment))
  })

  test.each([
    [
      'an unknown field',
      { payment_id: 'x', amount: 1, currency: 'EUR', color: 'red' },
      '/data/color',
    ],
    ['a broken amount', { payment_id: 'x', amount: 1.5, currency: 'EUR' }, '/data/amount'],
    ['a missing field', { amount: 1, currency: 'EUR' }, '/data/payment_id'],
    [
      "another site's tenant",
      { payment_id: 'x', amount: 1, currency: 'E', tenant_id: 'other' },
      '/data/tenant_id',
    ],
    [
      'credits without a reference',
      { payment_id: 'x', amount: 1, currency: 'E', credits: 5 },
      '/data/credits',
    ],
  ])('of a program is refused with %s', async (_name, data, path) => {
    const generic = await openIntegration(product, workspace, 'generic')
    const answer = await tell(product, generic, { event: 'payment.succeeded', data })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path }] } })
  })
})
