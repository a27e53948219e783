import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { MINUTE_MS } from '../../../server/lib/durations.ts'
import { Passwords } from '../../../server/platform/auth/passwords.ts'
import type { TokenAnswer } from '../../../server/platform/schema.ts'
import type { Problem } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { type SmtpServer, startSmtpServer } from '../../helpers/servers/smtp.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { eventually } from '../../helpers/eventually.ts'

const OLD = 'a long password'
const NEW = 'a new long password'

describeOnDatabase('a password', (database) => {
  const clock = new TestClock(Date.UTC(2026, 4, 11, 9))
  let smtp: SmtpServer
  let workspace: TestWorkspace
  const seen = new Set<string>()

  beforeAll(async () => {
    smtp = await startSmtpServer()
  })
  afterAll(() => smtp.close())
  const product = useProduct(database, () => ({
    clock,
    settings: { SMTP_URL: smtp.url },
    passwords: new Passwords(),
  }))
  beforeEach(async () => {
    workspace = await addWorkspace(product)
    smtp.received.length = 0
    clock.move(MINUTE_MS)
  })

  const signIn = (password: string) =>
    product.call<TokenAnswer>('/api/v1/auth/token', { body: { email: workspace.email, password } })
  const me = async (token: string) => (await product.call('/api/v1/auth/me', { token })).status
  const ask = (email = workspace.email) =>
    product.call<Problem>('/api/v1/auth/password/reset', { body: { email } })
  const confirm = (token: string, new_password = NEW) =>
    product.call<Problem>('/api/v1/auth/password/reset/confirm', { body: { token, new_password } })
  /** The token of the one link that was mailed and not looked at yet. */
  async function mailedToken(): Promise<string> {
    return eventually(() => {
      const tokens = smtp.received.map(
        ({ text }) => /\/panel\/password#token=([\w-]{43})$/m.exec(text)?.[1] ?? '',
      )
      const token = tokens.find((each) => each !== '' && !seen.has(each))
      expect(token).toBeDefined()
      seen.add(token ?? '')
      return token ?? ''
    })
  }

  test('is changed by who knows the old one; every other login ends', async () => {
    const here = (await signIn(OLD)).body
    const elsewhere = (await signIn(OLD)).body
    const change = (current_password: string, new_password: string) =>
      product.call<Problem>('/api/v1/auth/password', {
        token: here.access_token,
        body: { current_password, new_password },
      })
    const wrong = await change('not the password', NEW)
    expect([wrong.status, wrong.body.errors?.[0]?.path]).toEqual([422, '/current_password'])
    expect((await change(OLD, 'short')).status).toBe(422)
    expect((await change(OLD, NEW)).status).toBe(204)
    expect(await me(here.access_token)).toBe(200)
    expect(await me(elsewhere.access_token)).toBe(401)
    const { refresh_token } = elsewhere
    expect((await product.call('/api/v1/auth/refresh', { body: { refresh_token } })).status).toBe(
      401,
    )
    expect((await signIn(OLD)).status).toBe(401)
    expect((await signIn(NEW)).status).toBe(200)
    const [mail] = await smtp.waitFor(1)
    expect(mail).toMatchObject({
      to: [workspace.email],
      headers: { subject: 'Sohbet parolanız değiştirildi' },
    })
  })

  test('that was forgotten is reset by mail, once, and every login ends', async () => {
    const before = (await signIn(OLD)).body
    const asked = await ask(workspace.email.toUpperCase())
    expect([asked.status, asked.body]).toEqual([202, { status: 'accepted' }])
    const token = await mailedToken()
    const [mail] = smtp.received
    expect(mail).toMatchObject({
      to: [workspace.email],
      headers: { subject: 'Sohbet için yeni parola' },
    })
    expect(mail?.text).toContain(`http://localhost:3000/panel/password#token=${token}`)
    const stored = await product.ctx.db.selectFrom('password_resets').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(token)
    expect((await confirm(token, 'short')).status).toBe(422)
    expect((await confirm(token)).status).toBe(204)
    expect(await me(before.access_token)).toBe(401)
    expect((await signIn(OLD)).status).toBe(401)
    expect((await signIn(NEW)).status).toBe(200)
    const again = await confirm(token, 'yet another password')
    expect([again.status, again.body.code]).toEqual([401, 'unauthenticated'])
    expect((await signIn(NEW)).status).toBe(200)
  })

  test('is set once, however many come with the same link at once', async () => {
    await ask()
    const token = await mailedToken()
    const answers = await Promise.all([1, 2, 3, 4].map((n) => confirm(token, `password ${n}`)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 204).length).toBe(1)
    expect(statuses.filter((status) => status === 401).length).toBe(3)
  })

  test('cannot be set by a link that is old, of another mail, or made up', async () => {
    await ask()
    const first = await mailedToken()
    await ask()
    const second = await mailedToken()
    expect((await confirm(second)).status).toBe(204)
    expect((await confirm(first)).status).toBe(401)
    await ask()
    const third = await mailedToken()
    clock.move(30 * MINUTE_MS)
    expect((await confirm(third)).status).toBe(401)
    for (const token of ['x', 'a'.repeat(43), "' or 1=1 --"]) {
      expect((await confirm(token)).status).toBe(401)
    }
    expect((await confirm('')).status).toBe(422)
  })

  test('of nobody is the same answer and no mail; of somebody a few mails, not many', async () => {
    const unknown = await ask('nobody@example.com')
    for (let count = 0; count < 8; count += 1) {
      const answer = await ask()
      expect([answer.status, answer.text]).toEqual([unknown.status, unknown.text])
    }
    expect(unknown.status).toBe(202)
    await eventually(async () => {
      const mails = await product.ctx.db
        .selectFrom('mails')
        .select(['recipient', 'state'])
        .where('workspace_id', '=', workspace.id)
        .execute()
      expect(mails).toEqual(
        Array.from({ length: 5 }, () => ({ recipient: workspace.email, state: 'sent' })),
      )
    })
    expect((await ask('not an address')).status).toBe(422)
  })
})
