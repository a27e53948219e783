import { afterEach, expect, test } from 'vitest'
import { DEMO_TENANT } from '../../../server/demo/seed.ts'
import { HOUR_MS } from '../../../server/lib/durations.ts'
import type { Turn } from '../../../server/chat/schema.ts'
import type { Tenant } from '../../../server/tenants/schema.ts'
import type { TokenAnswer } from '../../../server/platform/schema.ts'
import { openSetup } from '../../../server/setup/first-run.ts'
import type { Me, Page, Problem, VisitorAnswer } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { cookiesOf } from '../../helpers/cookies.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import {
  type ProductOptions,
  type StartedProduct,
  startTestProduct,
} from '../../helpers/product.ts'

const OWNER = { name: 'Ayşe', email: 'ayse@example.com', password: 'a long password' }

describeOnBothDatabases('the first run', (database) => {
  const clock = new TestClock(Date.UTC(2026, 4, 11, 9))
  const running: StartedProduct[] = []
  afterEach(async () => {
    for (const product of running.splice(0)) await product.stop()
  })

  async function start(settings: Record<string, string> = {}, options: ProductOptions = {}) {
    const product = await startTestProduct(await database.create(), {
      clock,
      settings,
      ...options,
    })
    running.push(product)
    const isOpen = async () => (await product.call<{ open: boolean }>('/api/v1/setup')).body.open
    const complete = (token: string | undefined, more: object = {}) =>
      product.call<Me & Problem>('/api/v1/setup', { body: { token, ...OWNER, ...more } })
    return { product, isOpen, complete, link: () => openSetup(product.ctx) }
  }

  test('gives the first owner an account, signed in, with one link that works once', async () => {
    const { product, isOpen, complete, link } = await start()
    expect(await isOpen()).toBe(true)
    const token = await link()
    expect((await complete('a guess')).status).toBe(401)
    expect((await complete(token, { password: 'short' })).status).toBe(422)
    const made = await complete(token, { locale: 'en', workspace_name: 'Clinic' })
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({
        user: expect.objectContaining({ name: 'Ayşe', email: OWNER.email, role: 'owner' }),
        workspace: expect.objectContaining({ name: 'Clinic', locale: 'en' }),
      }),
    ])
    const session = cookiesOf(made.headers).get('svc_session')?.value ?? ''
    const me = await product.call('/api/v1/auth/me', { token: session })
    expect(me.body).toEqual(made.body)
    expect((await complete(token)).status).toBe(401)
    expect([await isOpen(), await link()]).toEqual([false, undefined])
  })

  test('is over after an hour, until the next start', async () => {
    const { complete, link } = await start()
    const token = await link()
    clock.move(HOUR_MS)
    expect((await complete(token)).status).toBe(401)
    expect((await complete(await link())).status).toBe(201)
  })

  test('has one winner when two use it at once, with one link or with two', async () => {
    const { product, complete, link } = await start()
    const first = await link()
    // On Postgres another process has printed another link; here, only the newest one is good.
    const second = await link()
    const answers = await Promise.all([
      complete(second),
      complete(second, { email: 'b@example.com' }),
      complete(first, { email: 'c@example.com' }),
      complete(first, { email: 'd@example.com' }),
    ])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 401, 401, 401,
    ])
    const users = await product.ctx.db.selectFrom('users').select('id').execute()
    expect(users).toHaveLength(1)
  })

  test('makes the demo shop a site of the owner, who can remove it', async () => {
    const { product, isOpen, complete, link } = await start({ SEED: 'demo' })
    expect(await isOpen()).toBe(true)
    const made = await complete(await link())
    const token = cookiesOf(made.headers).get('svc_session')?.value ?? ''
    const { body } = await product.call<Page<Tenant>>('/api/v1/tenants', { token })
    expect(body.data.map(({ tenant_id }) => tenant_id)).toEqual([DEMO_TENANT])
    const path = `/api/v1/tenants/${DEMO_TENANT}`
    expect((await product.call(path, { method: 'DELETE', token })).status).toBe(204)
  })

  test('is not open where the settings name an owner, whose address no visitor reads', async () => {
    const settings = {
      SEED: 'demo',
      OWNER_EMAIL: 'Fatma.Kaya@example.com',
      OWNER_PASSWORD: OWNER.password,
    }
    const { product, isOpen, link } = await start(settings)
    expect([await isOpen(), await link()]).toEqual([false, undefined])
    const { body: tokens } = await product.call<TokenAnswer>('/api/v1/auth/token', {
      body: { email: settings.OWNER_EMAIL, password: OWNER.password },
    })
    const token = tokens.access_token
    const { body: visitor } = await product.call<VisitorAnswer>('/api/v1/auth/visitor', {
      body: { tenant_id: DEMO_TENANT },
    })
    const { body: turn } = await product.call<Turn>('/api/v1/chatbot/message', {
      token: visitor.access_token,
      body: { tenant_id: DEMO_TENANT, message: 'Kargo ücreti ne kadar?', locale: 'tr' },
    })
    const answer = { text: 'Merhaba' }
    const path = `/api/v1/inbox/${turn.session_id}/messages`
    expect((await product.call(path, { token, body: answer })).status).toBe(201)
    const history = await product.call(
      `/api/v1/chatbot/sessions/${turn.session_id}/messages?limit=100`,
      { token: visitor.access_token },
    )
    expect(history.text).toContain('Fincan ekibi sohbete katıldı.')
    expect(history.text).not.toMatch(/fatma/i)
  })
})
