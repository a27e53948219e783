import { createHash } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { MINUTE_MS } from '../../../server/lib/durations.ts'
import type { Problem } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

const PASSWORD = '/panel/password'
const INVITATION = '/panel/invitation'
const NEW = 'a new long password'

describeOnDatabase('the links in mails about accounts', (database) => {
  const clock = new TestClock(Date.UTC(2027, 2, 1, 9))
  let workspace: TestWorkspace

  const product = useProduct(database, {
    clock,
    settings: { LIMIT_AUTH: '5' },
  })
  beforeAll(async () => {
    workspace = await addWorkspace(product)
  })
  beforeEach(() => clock.move(MINUTE_MS))

  /** The last mail's link to the page. */
  async function linkTo(page: string): Promise<{ path: string; token: string }> {
    const { text } = await product.call(`${product.devPath}/mail`)
    const links = [...text.matchAll(/(\/panel\/\w+)#token=([\w-]+)/g)]
    const [, path = '', token = ''] = links.find(([, found]) => found === page) ?? []
    expect(path).toBe(page)
    return { path, token }
  }
  const send = (path: string, fields: Record<string, string>, language = 'tr-TR,tr;q=0.9') =>
    product.call<Problem>(path, {
      raw: new URLSearchParams(fields).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'accept-language': language,
      },
    })
  const signIn = (email: string, password: string) =>
    product.call('/api/v1/auth/token', { body: { email, password } })

  test('lead to pages in the language of the reader, which load nothing but what they are', async () => {
    const languages = [
      ['tr-TR', 'lang="tr"', 'Yeni parola belirleyin'],
      ['de-DE', 'lang="en"', 'Choose a new password'],
    ]
    for (const [language = '', lang, title] of languages) {
      const page = await product.call(PASSWORD, { headers: { 'accept-language': language } })
      expect(page.status).toBe(200)
      expect(page.text).toContain(lang)
      expect(page.text).toContain(title)
      const policy = page.headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      for (const [, , content = ''] of page.text.matchAll(/<(script|style)>([^]*?)<\/\1>/g)) {
        expect(policy).toContain(createHash('sha256').update(content).digest('base64'))
      }
      expect(page.headers.get('cache-control')).toBe('no-store')
      expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    }
  })

  test('let somebody who forgot the password ask for a code, and set another, once', async () => {
    const asked = await send(PASSWORD, { email: workspace.email })
    expect([asked.status, asked.text]).toEqual([200, expect.stringContaining('e-posta yola çıktı')])
    const { path, token } = await linkTo(PASSWORD)
    const short = await send(path, { token, password: 'short' })
    expect([short.status, short.text]).toEqual([422, expect.stringContaining('role="alert"')])
    expect(short.text).toContain(`value="${token}"`)
    const set = await send(path, { token, password: NEW })
    expect([set.status, set.text]).toEqual([200, expect.stringContaining('role="status"')])
    expect((await signIn(workspace.email, NEW)).status).toBe(200)
    const again = await send(path, { token, password: 'yet another password' }, 'en')
    expect([again.status, again.text]).toEqual([401, expect.stringContaining('used already')])
    expect((await signIn(workspace.email, NEW)).status).toBe(200)
  })

  test('tell who comes with a spent invitation whom to ask, since no form there sends a new one', async () => {
    const fields = { token: 'spent', name: 'Ada', password: NEW }
    const turkish = await send(INVITATION, fields)
    expect([turkish.status, turkish.text]).toEqual([401, expect.stringContaining('davet eden')])
    const english = await send(INVITATION, fields, 'en')
    expect(english.text).toContain('ask the person who invited you')
  })

  test('let who is invited join, under a name of their own', async () => {
    const owner = await addWorkspace(product)
    const email = `invited-${owner.id.slice(-6).toLowerCase()}@example.com`
    const body = { email, role: 'operator' }
    expect((await product.call('/api/v1/members', { token: owner.token, body })).status).toBe(201)
    const { path, token } = await linkTo(INVITATION)
    const nameless = await send(path, { token, name: ' ', password: NEW })
    expect(nameless.status).toBe(422)
    const joined = await send(path, { token, name: 'Ayşe <b>', password: NEW })
    expect([joined.status, joined.text]).toEqual([200, expect.stringContaining('Hoş geldiniz')])
    expect((await signIn(email, NEW)).status).toBe(200)
    expect((await send(path, { token, name: 'Ayşe', password: NEW })).status).toBe(401)
  })

  test('say nothing about who has an account, and cannot be tried without end', async () => {
    const known = await send(PASSWORD, { email: workspace.email })
    const unknown = await send(PASSWORD, { email: 'nobody@example.com' })
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
    for (let count = 0; count < 5; count += 1) await send(PASSWORD, { token: 'x', password: NEW })
    const often = await send(PASSWORD, { token: 'x', password: NEW })
    expect(often.status).toBe(429)
    expect(Number(often.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(often.text).toContain('bir dakika sonra')
  })

  test('take fields of text and nothing else', async () => {
    const json = await product.call<Problem>(PASSWORD, { body: { token: 5 } })
    expect([json.status, json.body.code]).toEqual([422, 'validation_failed'])
    const nul = await send(PASSWORD, { token: 'x\0', password: NEW })
    expect([nul.status, nul.body.code]).toEqual([400, 'malformed_request'])
  })
})
