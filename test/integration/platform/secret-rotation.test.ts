import { afterAll, beforeAll, expect, test } from 'vitest'
import { hexSignature, standardSignature } from '../../../server/delivery/signature.ts'
import { reencryptSecrets } from '../../../server/platform/secrets/key-rotation.ts'
import type { TokenAnswer } from '../../../server/platform/schema.ts'
import type {
  CreatedApiKey,
  CreatedRule,
  CreatedSubscription,
  RuleTestResult,
} from '../../helpers/answers.ts'
import { cookiesOf } from '../../helpers/cookies.ts'
import { describeOnDatabase, type DatabasePlace } from '../../helpers/databases.ts'
import {
  type CallOptions,
  OPERATOR_TOKEN,
  type StartedProduct,
  type TestWorkspace,
  addVisitor,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'
import { type Receiver, startReceiver } from '../../helpers/servers/receiver.ts'
import { SECRET_KEY } from './forge-tokens.ts'

const RULES = '/api/v1/webhooks/rules-engine/rules'
const SUBSCRIPTIONS = '/api/v1/webhooks'
const SECRET = 'a secret of at least thirty-two characters'
const NEXT = 'the-secret-key-that-comes-next'

describeOnDatabase('when the installation changes its secret key', (database) => {
  let place: DatabasePlace
  let product: StartedProduct
  let receiver: Receiver
  let workspace: TestWorkspace
  let visitor: string
  let refreshToken: string
  let key: string
  let ruleId: string
  let subscriptionId: string

  const start = (settings: Record<string, string>) =>
    startTestProduct(place, { settings: { ALLOW_PRIVATE_TARGETS: 'true', ...settings } })

  beforeAll(async () => {
    place = await database.create()
    receiver = await startReceiver()
    product = await start({})
    workspace = await addWorkspace(product)
    const { token, email } = workspace
    visitor = await addVisitor(product, workspace)
    const body = { email, password: 'a long password' }
    refreshToken = (await product.call<TokenAnswer>('/api/v1/auth/token', { body })).body
      .refresh_token
    key = (await product.call<CreatedApiKey>('/api/v1/api-keys', { token, body: { name: 'k' } }))
      .body.key
    const rule = {
      name: 'r',
      event: 'lead.created',
      url: receiver.url,
      secret: 'sixteen characters and more',
    }
    ruleId = (await product.call<CreatedRule>(RULES, { token, body: rule })).body.rule_id
    const subscription = { url: receiver.url, events: ['chatbot.lead'], secret: SECRET }
    subscriptionId = (
      await product.call<CreatedSubscription>(SUBSCRIPTIONS, { token, body: subscription })
    ).body.id
    // A secret that was replaced within the last day still signs, and is stored encrypted too.
    await product.call(`${SUBSCRIPTIONS}/${subscriptionId}/rotate-secret`, {
      method: 'POST',
      token,
    })
    await product.stop()
    product = await start({ SECRET_KEY: NEXT, SECRET_KEY_PREVIOUS: SECRET_KEY })
  })
  afterAll(async () => {
    await product.stop()
    await receiver.close()
  })

  test('nobody is signed out, and every key goes on working', async () => {
    expect((await product.call('/api/v1/auth/me', { token: workspace.token })).status).toBe(200)
    expect((await product.call('/api/v1/chatbot/sessions', { token: visitor })).status).toBe(200)
    expect((await product.call('/api/v1/tenants', { token: key })).status).toBe(200)
    const renewed = await product.call('/api/v1/auth/refresh', {
      body: { refresh_token: refreshToken },
    })
    expect(renewed.status).toBe(200)
  })

  test('webhooks are signed with the secrets that were stored before', async () => {
    const sent = await product.call<RuleTestResult>(`${RULES}/${ruleId}/test`, {
      method: 'POST',
      token: workspace.token,
    })
    expect(sent.status).toBe(200)
    expect(sent.body.ok).toBe(true)
  })

  test('everything is encrypted again, so that the old key can be dropped', async () => {
    const sealed = async () => {
      const { db } = product.ctx
      const [rules, subscriptions, tenants] = await Promise.all([
        db.selectFrom('rules').select(['secret', 'previous_secrets']).execute(),
        db.selectFrom('subscriptions').select(['secret', 'previous_secrets']).execute(),
        db.selectFrom('tenants').select('identity_secret').execute(),
      ])
      return JSON.stringify([rules, subscriptions, tenants])
    }
    const old = product.ctx.secrets.previousKeyId ?? ''
    expect((await sealed()).split(`${old}.`)).toHaveLength(1 + 4)
    await Promise.all([reencryptSecrets(product.ctx), reencryptSecrets(product.ctx)])
    expect(await sealed()).not.toContain(old)
    const again = await sealed()
    await reencryptSecrets(product.ctx)
    expect(await sealed()).toBe(again)
  })

  test('new tokens are signed with the new key, and survive the end of the old one', async () => {
    const body = { email: workspace.email, password: 'a long password' }
    const { access_token } = (await product.call<TokenAnswer>('/api/v1/auth/token', { body })).body
    await product.stop()
    product = await start({ SECRET_KEY: NEXT })
    expect((await product.call('/api/v1/auth/me', { token: access_token })).status).toBe(200)
    expect((await product.call('/api/v1/auth/me', { token: workspace.token })).status).toBe(401)
    expect((await product.call('/api/v1/tenants', { token: key })).status).toBe(200)
  })

  test('webhooks go on with the same secrets without the old key', async () => {
    const body = { email: workspace.email, password: 'a long password' }
    const signedIn = await product.call<TokenAnswer>('/api/v1/auth/token', { body })
    const token = signedIn.body.access_token
    const count = receiver.received.length
    for (const path of [`${RULES}/${ruleId}`, `${SUBSCRIPTIONS}/${subscriptionId}`]) {
      const tested = await product.call(`${path}/test`, { method: 'POST', token })
      expect(tested.body).toMatchObject({ ok: true })
    }
    const [ofRule, ofSubscription] = receiver.received.slice(count)
    const ruleBody = ofRule?.body ?? ''
    expect(ofRule?.headers['x-chat-signature']).toBe(
      hexSignature('sixteen characters and more', ruleBody),
    )
    const { headers = {}, body: sentBody = '' } = ofSubscription ?? {}
    const [id = '', at = ''] = [headers['webhook-id'], headers['webhook-timestamp']]
    const before = standardSignature(SECRET, id, Number(at), sentBody)
    expect(headers['webhook-signature']?.split(' ')[1]).toBe(before)
  })
})

describeOnDatabase("when the installation changes its operator's token", (database) => {
  test('the former token and its sessions work until the former token is dropped', async () => {
    const place = await database.create()
    const signIn = async (product: StartedProduct) => {
      const { headers } = await product.call('/api/v1/operator/session', {
        body: { token: OPERATOR_TOKEN },
      })
      return { cookie: `svc_operator=${cookiesOf(headers).get('svc_operator')?.value}` }
    }
    const first = await startTestProduct(place)
    const headers = await signIn(first)
    await first.stop()

    const next = 'the-operator-token-that-comes-next'
    const statuses = async (settings: Record<string, string>) => {
      const product = await startTestProduct(place, { settings })
      const call = async (options: CallOptions) =>
        (await product.call('/api/v1/operator/workspaces', options)).status
      const found = [
        await call({ token: next }),
        await call({ token: OPERATOR_TOKEN }),
        await call({ headers }),
        await call({ token: `${next}.` }),
      ]
      await product.stop()
      return found
    }
    const rotation = { OPERATOR_TOKEN: next, OPERATOR_TOKEN_PREVIOUS: OPERATOR_TOKEN }
    expect(await statuses(rotation)).toEqual([200, 200, 200, 401])
    expect(await statuses({ OPERATOR_TOKEN: next })).toEqual([200, 401, 401, 401])
  })
})
