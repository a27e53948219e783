import { SignJWT } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import type { Slots } from '../../../../server/appointments/schema.ts'
import type { Session, Turn } from '../../../../server/chat/schema.ts'
import { DAY_MS, HOUR_MS } from '../../../../server/lib/durations.ts'
import { type MailContent, decryptMailContent } from '../../../../server/mail/mail.ts'
import { sendNotifications } from '../../../../server/notifications/notifier.ts'
import type { Problem } from '../../../helpers/answers.ts'
import { TestClock } from '../../../helpers/clock.ts'
import { describeOnBothDatabases, describeOnDatabase } from '../../../helpers/databases.ts'
import {
  type TestProduct,
  type TestWorkspace,
  addVisitor,
  addWorkspace,
} from '../../../helpers/product.ts'
import { withoutRandomParts } from '../../../helpers/random-parts.ts'
import { useProduct } from '../../../helpers/use-product.ts'
import { HOSTILE_NAMES, PRESSABLE } from '../../../helpers/hostile/mail-texts.ts'
import { ALWAYS_OPEN } from '../access/filled-workspace.ts'

const BAIT = 'You have won! Claim it at https://evil.example/prize'
async function mailsTo(
  { ctx }: TestProduct,
  recipient?: string,
): Promise<(MailContent & { to: string })[]> {
  const query = ctx.db.selectFrom('mails').selectAll().orderBy('created_at')
  const rows = await (recipient ? query.where('recipient', '=', recipient) : query).execute()
  return rows.map((row) => ({ to: row.recipient, ...decryptMailContent(ctx.secrets, row) }))
}

/** A visitor with a conversation that the site has answered. */
async function talk(product: TestProduct, { tenantId }: TestWorkspace, token: string) {
  const { body } = await product.call<Turn>('/api/v1/chatbot/message', {
    token,
    body: { tenant_id: tenantId, message: BAIT, locale: 'en' },
  })
  const base = `/api/v1/chatbot/sessions/${body.session_id}`
  const call = <Body = Problem>(what: string, given: object) =>
    product.call<Body>(`${base}/${what}`, { token, body: given })
  return {
    id: body.session_id,
    send: (email: string) => call('transcript', { email }),
    call,
    slots: async () => (await product.call<Slots>(`${base}/slots`, { token })).body.data,
  }
}

describeOnBothDatabases('a stranger who has mails sent', (database) => {
  const clock = new TestClock(Date.UTC(2026, 10, 21, 9))
  const product = useProduct(database, { clock, settings: { LIMIT_DEFAULT: '1000' } })
  let site: TestWorkspace
  const tenant = { ...ALWAYS_OPEN, locale: 'en', name: 'Shop' }
  beforeAll(async () => {
    site = await addWorkspace(product, {
      tenant: { ...tenant, forms: { lead: { verify_email: true } } },
    })
  })
  const begin = async (where = site) => talk(product, where, await addVisitor(product, where))

  test('sends nothing that was typed to an address that is not proved: a link that expires', async () => {
    const { send } = await begin()
    expect((await send('stranger@example.com')).status).toBe(202)
    const [mail] = await mailsTo(product, 'stranger@example.com')
    expect(mail?.subject).toBe('Your conversation with Shop')
    expect(withoutRandomParts(JSON.stringify(mail))).not.toMatch(/won|evil/)
    const [path] = /\/transcripts\/\S+/.exec(mail?.text ?? '') ?? ['none']
    const page = await product.call(path)
    expect(page).toMatchObject({ status: 200 })
    expect(page.text).toContain('You have won!')
    // Text of a visitor is no link on the page either.
    expect(page.text).not.toContain('href="https://evil')
    expect(page.headers.get('x-robots-tag')).toBe('noindex')
    expect(page.headers.get('cache-control')).toBe('no-store')
    const forged = path.replace(/\/(\d+)\//, (_, at: string) => `/${Number(at) + DAY_MS}/`)
    expect((await product.call(forged)).status).toBe(404)
    clock.move(7 * DAY_MS)
    expect((await product.call(path)).status).toBe(404)
  })

  test('sends the text to an address with a code, or in a signed identity', async () => {
    const one = await begin()
    const email = 'Ayse@example.com'
    const form = { name: 'Ayşe', phone: '+905321234567', email }
    await one.call('lead', form)
    const [code] = await mailsTo(product, 'ayse@example.com')
    const digits = /\d{6}/.exec(code?.subject ?? '')?.[0]
    expect((await one.call('lead', { ...form, code: digits })).status).toBe(201)
    await one.send(email)
    expect((await mailsTo(product, email)).at(-1)?.text).toContain('You have won!')
    // Another conversation has proved nothing.
    await (await begin()).send('ayse@example.com')
    expect((await mailsTo(product, 'ayse@example.com')).at(-1)?.text).not.toContain('won')

    const path = `/api/v1/tenants/${site.tenantId}/identity-secret`
    const login = { email: site.email, password: 'a long password' }
    const owner = await product.call<{ access_token: string }>('/api/v1/auth/token', {
      body: login,
    })
    const { body } = await product.call<{ identity_secret: string }>(path, {
      token: owner.body.access_token,
    })
    const sign = (claims: Record<string, string>) =>
      new SignJWT({ sub: 'customer-7', ...claims })
        .setProtectedHeader({ alg: 'HS256' })
        .setExpirationTime(Math.floor(clock.now() / 1_000) + 300)
        .sign(new TextEncoder().encode(body.identity_secret))
    const token = await addVisitor(product, site)
    const two = await talk(product, site, token)
    // The page's own words beside a token prove nothing.
    const beside = { token: await sign({}), email: 'victim@example.com' }
    await product.call('/api/v1/chatbot/identify', { token, body: beside })
    await two.send('victim@example.com')
    expect((await mailsTo(product, 'victim@example.com')).at(-1)?.text).not.toContain('won')
    const signed = { token: await sign({ email: 'signed@example.com' }) }
    await product.call('/api/v1/chatbot/identify', { token, body: signed })
    await two.send('signed@example.com')
    expect((await mailsTo(product, 'signed@example.com')).at(-1)?.text).toContain('won')
  })

  test('reaches one person six times a day from a site, and twenty times in all', async () => {
    const email = 'person@example.com'
    const sent: number[] = []
    for (let at = 0; at < 4; at += 1) {
      const workspace = await addWorkspace(product, { tenant })
      const { send } = await begin(workspace)
      const answers = await Promise.all(Array.from({ length: 7 }, () => send(email)))
      sent.push(answers.filter(({ status }) => status === 202).length)
      const late = answers.find(({ status }) => status === 429)
      expect(Number(late?.headers.get('retry-after'))).toBeGreaterThan(0)
      // Only the limits of persons are asked here.
      clock.move(HOUR_MS + 1)
    }
    expect(sent).toEqual([6, 6, 6, 2])
    clock.move(DAY_MS)
    expect((await (await begin()).send(email)).status).toBe(202)
  })

  test('causes twenty mails an hour from one address, to whomever and of whatever kind', async () => {
    clock.move(DAY_MS)
    const workspace = await addWorkspace(product, { tenant })
    const { send, call, slots } = await begin(workspace)
    const [slot] = await slots()
    // Two mails: to the named person, and to the site.
    const booking = { start: slot?.start, name: 'Ayşe', email: 'booked@example.com' }
    expect((await call('appointment', booking)).status).toBe(201)
    const statuses: number[] = []
    for (let at = 0; at < 19; at += 1) statuses.push((await send(`p${at}@example.com`)).status)
    expect(statuses).toEqual([...Array.from({ length: 18 }, () => 202), 429])
    clock.move(HOUR_MS + 1)
    expect((await send('p19@example.com')).status).toBe(202)
  })

  test('reaches a member thirty times an hour, in however many conversations, and then in a digest', async () => {
    const shop = await addWorkspace(product, { tenant })
    clock.move(HOUR_MS - (clock.now() % HOUR_MS) + 1)
    // A visitor's new conversation closes the one that waits, and a closed one needs no answer.
    for (let at = 0; at < 33; at += 1) {
      const { call } = await begin(shop)
      expect((await call('handoff', {})).status).toBeLessThan(300)
    }
    await sendNotifications(product.ctx)
    const reached = async () => (await mailsTo(product, shop.email)).length
    await expect.poll(reached).toBe(30)
    clock.move(HOUR_MS)
    await sendNotifications(product.ctx)
    await expect.poll(reached).toBe(31)
    const subjects = (await mailsTo(product, shop.email)).map(({ subject }) => subject)
    expect(subjects.filter((subject) => /^Sohbet: \d+ bildirim$/.test(subject))).toHaveLength(1)
  })

  test('causes none with a message that nobody has answered', async () => {
    const poor = await addWorkspace(product, { credits: 0, tenant })
    const { id, send } = await begin(poor)
    expect(id).toMatch(/^ses_/)
    expect(await send('stranger@example.org')).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
    expect(await mailsTo(product, 'stranger@example.org')).toEqual([])
  })
})

describeOnDatabase('every mail that a visitor causes', (database) => {
  const product = useProduct(database)

  test.each(HOSTILE_NAMES)('has one line without links, whatever is typed: %j', async (typed) => {
    const site = await addWorkspace(product, {
      tenant: {
        ...ALWAYS_OPEN,
        locale: 'en',
        // The office works in a zone without dots in its name.
        time_zone: 'UTC',
        forms: { lead: { verify_email: true } },
      },
    })
    const token = await addVisitor(product, site)
    const opened = await product.call<Session>('/api/v1/chatbot/sessions', {
      token,
      body: { tenant_id: site.tenantId, locale: 'en' },
    })
    const base = `/api/v1/chatbot/sessions/${opened.body.session_id}`
    const post = <Body = Record<string, string>>(path: string, body: object) =>
      product.call<Body>(path, { token, body })
    await post('/api/v1/chatbot/message', {
      tenant_id: site.tenantId,
      session_id: opened.body.session_id,
      message: typed,
    })
    expect((await post(`${base}/transcript`, { email: 'a@example.com' })).status).toBe(202)
    const lead = { name: typed, phone: '+905321234567', email: 'b@example.com', interest: typed }
    expect((await post(`${base}/lead`, lead)).status).toBe(202)
    const { body } = await product.call<Slots>(`${base}/slots`, { token })
    const booked = await post<{ manage_url: string }>(`${base}/appointment`, {
      name: typed,
      service: typed.slice(0, 80),
      email: 'c@example.com',
      start: body.data[0]?.start,
    })
    expect(booked.status, booked.text).toBe(201)
    const link = new URL(booked.body.manage_url).pathname
    for (const form of [{ start: body.data[4]?.start ?? '' }, { cancel: 'yes' }]) {
      await product.call(link, {
        method: 'POST',
        raw: String(new URLSearchParams(form)),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    }
    const own = [site.email, 'c@example.com']
    const mails = (await mailsTo(product)).filter(({ to }) =>
      ['a@example.com', 'b@example.com', ...own].includes(to),
    )
    expect(mails).toHaveLength(8)
    for (const { subject, text, attachments } of mails) {
      const ours = [/http:\/\/localhost:3000\/(transcripts|appointments)\/\S+/g, ...own]
      const rest = ours.reduce<string>(
        (left, part) => left.replaceAll(part, ''),
        `${subject}\n${text}`,
      )
      expect(rest.replaceAll(/\.$|\.(?=\s)|…/gm, '')).not.toMatch(PRESSABLE)
      expect(subject).not.toMatch(/[\r\n]/)
      expect(text).not.toMatch(/^(Your account|Bcc:|second|third|fourth)/m)
      const summary = /SUMMARY:[^]*?(?=\r\nLOCATION)/.exec(attachments[0]?.content ?? '')?.[0] ?? ''
      expect(summary.replaceAll('\r\n ', '')).not.toMatch(/\\n|:\/\/|@/)
    }
    await product.ctx.db.deleteFrom('mails').execute()
    await product.ctx.db.deleteFrom('mail_counts').execute()
  })
})
