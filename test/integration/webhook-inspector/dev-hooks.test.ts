import { afterEach, beforeAll, expect, test } from 'vitest'
import {
  hexSignature,
  platformSignature,
  standardSignature,
} from '../../../server/delivery/signature.ts'
import type { CreatedRule } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace, startTestProduct } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

const WEBHOOKS = '/api/v1/webhooks'
const RULES = `${WEBHOOKS}/rules-engine/rules`
const SECRET = 'a secret of at least thirty-two characters'

interface Arrival {
  path: string
  headers: Record<string, string>
  body: string
  verified: boolean
  signatures: { name: string; result: string; endpoint_id: string | null }[]
  status: number
  attempt: number
}

describeOnDatabase("the developers' receiver", (database) => {
  let mine: TestWorkspace
  let at: string
  const product = useProduct(database, {
    settings: { ALLOW_PRIVATE_TARGETS: 'true', DELIVERY_TIME_SCALE: '0.00001' },
  })
  beforeAll(async () => {
    mine = await addWorkspace(product)
    at = `${product.url}${product.devPath}/hooks/crm`
  })
  afterEach(() => product.call(`${product.devPath}/hooks`, { method: 'POST' }))

  const arrived = async () =>
    (
      await product.call<{ data: Arrival[] }>(`${product.devPath}/hooks`, {
        headers: { accept: 'application/json' },
      })
    ).body.data

  const subscribe = (url: string) =>
    product.call<{ id: string; state: string }>(WEBHOOKS, {
      token: mine.token,
      body: { url, events: ['chatbot.message'], secret: SECRET },
    })

  test('verifies what a subscription sends, by both header sets', async () => {
    const { id, state } = (await subscribe(at)).body
    expect(state).toBe('active')
    const good = { result: 'good', endpoint_id: id }
    expect(await arrived()).toMatchObject([
      {
        path: `${product.devPath}/hooks/crm`,
        headers: { 'x-svc-event': 'ping' },
        verified: true,
        signatures: [
          { name: 'X-SVC-Signature', ...good },
          { name: 'webhook-signature', ...good },
        ],
        status: 200,
        attempt: 1,
      },
    ])
  })

  test('verifies what a rule sends, its body too', async () => {
    const body = { name: 'r', event: 'lead.created', url: at, secret: SECRET }
    const rule = await product.call<CreatedRule>(RULES, { token: mine.token, body })
    const { rule_id } = rule.body
    const tested = await product.call(`${RULES}/${rule_id}/test`, {
      method: 'POST',
      token: mine.token,
    })
    expect(tested.body).toMatchObject({ ok: true, status: 200 })
    // The subscription of another test may have the same secret; the newest endpoint is named.
    const good = { result: 'good', endpoint_id: rule_id }
    expect(await arrived()).toMatchObject([
      {
        signatures: [
          { name: 'X-CHAT-Signature', ...good },
          { name: 'webhook-signature', ...good },
          { name: 'signature', ...good },
        ],
      },
    ])
  })

  test('answers what it is asked to, and counts the attempts', async () => {
    const { state } = (await subscribe(`${at}?status=503`)).body
    expect(state).toBe('disabled')
    expect(await arrived()).toMatchObject([{ verified: true, status: 503 }])
    const again = { raw: '{}', headers: { 'webhook-id': 'evt_1' } }
    await product.call(`${product.devPath}/hooks/other`, again)
    await product.call(`${product.devPath}/hooks/other`, again)
    const [second, first] = await arrived()
    expect([first?.attempt, second?.attempt]).toEqual([1, 2])
  })

  test.each([
    ['unsigned', {}, []],
    [
      'signed with another secret',
      { 'x-chat-signature': hexSignature('another', '{"a":1}') },
      [{ name: 'X-CHAT-Signature', result: 'wrong', endpoint_id: null }],
    ],
    [
      'too old',
      {
        'x-svc-timestamp': '1700000000',
        'x-svc-signature': platformSignature(SECRET, 1_700_000_000, '{"a":1}'),
        'webhook-id': 'evt_2',
        'webhook-timestamp': '1700000000',
        'webhook-signature': standardSignature(SECRET, 'evt_2', 1_700_000_000, '{"a":1}'),
      },
      [
        { name: 'X-SVC-Signature', result: 'stale' },
        { name: 'webhook-signature', result: 'stale' },
      ],
    ],
  ])('answers 401 to what is %s', async (_, headers, signatures) => {
    await subscribe(at)
    const answer = await product.call(`${product.devPath}/hooks/crm`, { raw: '{"a":1}', headers })
    expect(answer).toMatchObject({ status: 401, body: { verified: false, signatures } })
  })

  test('shows anything that arrives as text, in Turkish and in English, without script', async () => {
    const evil = '<script>alert(1)</script>'
    await product.call(`${product.devPath}/hooks/<b>`, {
      raw: evil,
      headers: { 'content-type': 'text/evil' },
    })
    for (const [language, title] of [
      ['tr-TR,tr;q=0.9,en;q=0.5', 'Webhook alıcısı'],
      ['en-GB', 'Webhook receiver'],
      ['de', 'Webhook receiver'],
    ] as const) {
      const page = await product.call(`${product.devPath}/hooks`, {
        headers: { 'accept-language': language },
      })
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(page.text).toContain(`<h1>${title}</h1>`)
      expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
      expect(page.text).not.toMatch(/<script|<b>|style=|\son\w+=/)
    }
    const style = await product.call(`${product.devPath}/hooks.css`)
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8')
  })

  test('keeps the last fifty requests, until it is cleared', async () => {
    for (let count = 0; count < 55; count += 1)
      await product.call(`${product.devPath}/hooks/${count}`, { raw: '{}' })
    const paths = (await arrived()).map(({ path }) => path)
    expect(paths).toHaveLength(50)
    expect(paths[0]).toBe(`${product.devPath}/hooks/54`)
    const cleared = await fetch(`${product.url}${product.devPath}/hooks`, {
      method: 'POST',
      redirect: 'manual',
    })
    expect(cleared.status).toBe(303)
    expect(await arrived()).toEqual([])
  })

  test('is there for nobody else', async () => {
    for (const headers of [
      { 'x-forwarded-for': '203.0.113.9' },
      { forwarded: 'for=203.0.113.9' },
    ]) {
      expect(await product.call(`${product.devPath}/hooks`, { headers })).toMatchObject({
        status: 404,
      })
      const posted = await product.call(`${product.devPath}/hooks/crm`, { raw: '{}', headers })
      expect(posted).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
  })

  test.each([
    { NODE_ENV: 'production' },
    { PUBLIC_URL: 'https://localhost' },
    { PUBLIC_URL: 'https://chat.example.com' },
  ])('is not there in production, such as with %j', async (settings) => {
    const live = await startTestProduct(await database.create(), { settings })
    expect(await live.call(`${live.devPath}/hooks`)).toMatchObject({ status: 404 })
    expect(await live.call(`${live.devPath}/hooks/crm`, { raw: '{}' })).toMatchObject({
      status: 404,
    })
    await live.stop()
  })
})
