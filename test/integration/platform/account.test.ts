import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../server/lib/durations.ts'
import type { LoginPlace, OwnAccount } from '../../../server/platform/account/schema.ts'
import { Passwords } from '../../../server/platform/auth/passwords.ts'
import type { AuditEntry, TokenAnswer } from '../../../server/platform/schema.ts'
import { timeStep, totp } from '../../../server/platform/two-factor/totp.ts'
import type { Page, Problem } from '../../helpers/answers.ts'
import { fromBase32 } from '../../helpers/base32.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { addMember } from '../../helpers/members.ts'
import { type CallOptions, type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { type SmtpServer, startSmtpServer } from '../../helpers/servers/smtp.ts'
import { useProduct } from '../../helpers/use-product.ts'

const PASSWORD = 'a long password'
const ACCOUNT = '/api/v1/account'
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describeOnDatabase('the own account', (database) => {
  const clock = new TestClock(Date.UTC(2026, 4, 11, 9))
  let smtp: SmtpServer
  let workspace: TestWorkspace

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

  const call = <Body = Problem>(path: string, options: CallOptions = {}) =>
    product.call<Body>(path, { token: workspace.token, ...options })
  const read = async () => (await call<OwnAccount>(ACCOUNT)).body
  const signIn = (given: { email?: string; code?: string; userAgent?: string } = {}) =>
    product.call<TokenAnswer & Problem>('/api/v1/auth/token', {
      body: {
        email: given.email ?? workspace.email,
        password: PASSWORD,
        ...(given.code === undefined ? {} : { code: given.code }),
      },
      ...(given.userAgent === undefined ? {} : { headers: { 'user-agent': given.userAgent } }),
    })
  const me = async (token: string) => (await product.call('/api/v1/auth/me', { token })).status
  const audited = async () =>
    (await call<Page<AuditEntry>>('/api/v1/audit')).body.data.map(({ action }) => action)

  test('has a name, a language and a time zone of its own', async () => {
    expect(await read()).toEqual({
      user_id: expect.stringMatching(/^usr_/),
      email: workspace.email,
      name: 'Owner',
      locale: 'tr',
      time_zone: 'Europe/Istanbul',
      picture_url: null,
      pending_email: null,
      two_factor: false,
      recovery_codes_left: 0,
    })
    const changed = await call<OwnAccount>(ACCOUNT, {
      method: 'PATCH',
      body: { name: ' Ayşe ', locale: 'en', time_zone: 'Europe/Berlin' },
    })
    const wanted = { name: 'Ayşe', locale: 'en', time_zone: 'Europe/Berlin' }
    expect([changed.status, changed.body]).toEqual([200, expect.objectContaining(wanted)])
    expect(await read()).toMatchObject(wanted)
    for (const body of [{ name: '' }, { time_zone: 'Moon' }, { email: 'x@example.com' }]) {
      expect((await call(ACCOUNT, { method: 'PATCH', body })).status).toBe(422)
    }
    const { body: key } = await call<{ key: string }>('/api/v1/api-keys', { body: { name: 'CRM' } })
    expect((await product.call(ACCOUNT, { token: key.key })).status).toBe(403)
    expect(await audited()).toContain('account.changed')
  })

  test('gets another address once the link there is opened, and the former one is told', async () => {
    const ask = (email: string, password = PASSWORD) =>
      call(`${ACCOUNT}/email`, { body: { email, password } })
    const email = `new-${workspace.email}`
    expect((await ask(email, 'wrong')).body.errors?.[0]?.path).toBe('/password')
    expect((await ask(workspace.email)).status).toBe(409)
    expect((await ask(email)).status).toBe(202)
    expect(await read()).toMatchObject({ email: workspace.email, pending_email: email })

    const [mail] = await smtp.waitFor(1)
    expect(mail?.to).toEqual([email])
    const token = /\/panel\/confirm-email#token=([\w-]{43})$/m.exec(mail?.text ?? '')?.[1] ?? ''
    const confirm = () => product.call<Problem>(`${ACCOUNT}/email/confirm`, { body: { token } })
    expect((await confirm()).body).toEqual({ email })
    expect((await confirm()).status).toBe(401)
    expect(await read()).toMatchObject({ email, pending_email: null })
    expect((await smtp.waitFor(2))[1]?.to).toEqual([workspace.email])
    expect((await signIn({ email })).status).toBe(200)
    expect((await signIn()).status).toBe(401)
  })

  test('forgets a wanted address when the password changes', async () => {
    await call(`${ACCOUNT}/email`, { body: { email: 'thief@example.com', password: PASSWORD } })
    await call('/api/v1/auth/password', {
      body: { current_password: PASSWORD, new_password: 'another long password' },
    })
    expect((await read()).pending_email).toBeNull()
  })

  test('shows a picture to anyone with its address', async () => {
    const send = (bytes: Buffer) => {
      const form = new FormData()
      form.set('file', new Blob([new Uint8Array(bytes)]), 'me.png')
      return fetch(`${product.url}${ACCOUNT}/picture`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${workspace.token}` },
        body: form,
      })
    }
    expect((await send(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).status).toBe(415)
    expect((await send(Buffer.alloc(256_001))).status).toBe(413)
    expect((await send(PNG)).status).toBe(200)
    const { picture_url: path } = await read()
    const shown = await fetch(`${product.url}${path}`)
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(PNG)
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    expect((await call(`${ACCOUNT}/picture`, { method: 'DELETE' })).status).toBe(204)
    expect((await fetch(`${product.url}${path}`)).status).toBe(404)
    expect((await read()).picture_url).toBeNull()
  })

  test('lists where it is signed in, and signs out there', async () => {
    clock.move(HOUR_MS)
    const elsewhere = (await signIn({ userAgent: CHROME })).body.access_token
    workspace = { ...workspace, token: (await signIn()).body.access_token }
    clock.move(10 * MINUTE_MS)
    expect(await me(elsewhere)).toBe(200)
    const { body } = await call<Page<LoginPlace>>(`${ACCOUNT}/sessions`)
    expect(body.data).toHaveLength(3)
    const other = body.data.find(({ device }) => device === 'Chrome on Linux')
    expect(other).toMatchObject({ address: '127.0.0.0/24', current: false })
    const idle = Date.parse(other?.last_used_at ?? '') - Date.parse(other?.created_at ?? '')
    expect(idle).toBe(10 * MINUTE_MS)
    expect(body.data.filter(({ current }) => current)).toHaveLength(1)

    const colleague = await addMember(product, workspace)
    const path = `${ACCOUNT}/sessions/${other?.session_id}`
    const byOther = await product.call(path, { method: 'DELETE', token: colleague.token })
    expect(byOther.status).toBe(404)
    expect((await call(path, { method: 'DELETE' })).status).toBe(204)
    expect((await call(path, { method: 'DELETE' })).status).toBe(404)
    expect([await me(elsewhere), await me(workspace.token)]).toEqual([401, 200])
  })

  test('asks for a code besides the password once an app has confirmed the secret', async () => {
    const base = `${ACCOUNT}/two-factor`
    const started = await call<{ secret: string; otpauth_url: string }>(base, {
      body: { password: PASSWORD },
    })
    expect(started.status).toBe(201)
    const { secret, otpauth_url: url } = started.body
    expect(url).toBe(
      `otpauth://totp/Sohbet:${encodeURIComponent(workspace.email)}?secret=${secret}&issuer=Sohbet`,
    )
    const key = fromBase32(secret)
    const codeNow = () => totp(key, timeStep(clock.now()))
    // Nothing is asked for before the app has proved that it has the secret.
    expect((await signIn()).status).toBe(200)
    expect((await call(`${base}/confirm`, { body: { code: '000000' } })).status).toBe(422)
    const confirmed = await call<{ recovery_codes: string[] }>(`${base}/confirm`, {
      body: { code: codeNow() },
    })
    const codes = confirmed.body.recovery_codes
    expect([confirmed.status, new Set(codes).size]).toEqual([200, 10])
    expect(await read()).toMatchObject({ two_factor: true, recovery_codes_left: 10 })
    expect((await smtp.waitFor(1))[0]?.to).toEqual([workspace.email])
    expect((await call(base, { body: { password: PASSWORD } })).status).toBe(409)

    const without = await signIn()
    expect([without.status, without.body.code]).toEqual([401, 'two_factor_required'])
    // The code of the confirmation was used.
    const replayed = await signIn({ code: codeNow() })
    expect([replayed.status, replayed.body.code]).toEqual([401, 'unauthenticated'])
    clock.move(30_000)
    const code = codeNow()
    const answers = await Promise.all([signIn({ code }), signIn({ code })])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
    const panel = await product.call<Problem>('/api/v1/auth/login', {
      body: { email: workspace.email, password: PASSWORD },
    })
    expect(panel.body.code).toBe('two_factor_required')

    const recovery = codes[0]?.replaceAll('-', ' ')
    expect((await signIn({ code: recovery ?? '' })).status).toBe(200)
    expect((await signIn({ code: recovery ?? '' })).status).toBe(401)
    expect((await read()).recovery_codes_left).toBe(9)
    const renewed = await call<{ recovery_codes: string[] }>(`${base}/recovery-codes`, {
      body: { password: PASSWORD },
    })
    expect((await signIn({ code: codes[1] ?? '' })).status).toBe(401)
    expect((await signIn({ code: renewed.body.recovery_codes[1] ?? '' })).status).toBe(200)

    const wrong = { method: 'DELETE', body: { password: 'wrong' } }
    expect((await call(base, wrong)).status).toBe(422)
    expect((await call(base, { method: 'DELETE', body: { password: PASSWORD } })).status).toBe(204)
    expect((await signIn()).status).toBe(200)
    expect(await audited()).toEqual(
      expect.arrayContaining(['two_factor.enabled', 'two_factor.disabled']),
    )
  })
})
