import { afterEach, beforeEach, expect, test } from 'vitest'
import { transaction } from '../../../server/context.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../server/lib/durations.ts'
import { type NewMail, expireMails, queueMail } from '../../../server/mail/mail.ts'
import type { Problem } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases, type DatabasePlace } from '../../helpers/databases.ts'
import {
  type StartedProduct,
  type TestWorkspace,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'
import { type SmtpServer, startSmtpServer } from '../../helpers/servers/smtp.ts'
import { eventually } from '../../helpers/eventually.ts'

const TEXT = 'Merhaba Ayşe,\n\nYarın saat 10:00 için randevunuz var: http://localhost:3000/x\n.\n..'

describeOnBothDatabases('a mail', (database) => {
  let clock: TestClock
  let place: DatabasePlace
  let smtp: SmtpServer
  let product: StartedProduct
  let workspace: TestWorkspace

  beforeEach(async () => {
    clock = new TestClock(Date.UTC(2026, 4, 11, 9))
    place = await database.create()
    smtp = await startSmtpServer()
    product = await start()
    workspace = await addWorkspace(product)
  })
  afterEach(async () => {
    await product.stop()
    await smtp.close()
  })

  const start = (settings: Record<string, string> = {}) =>
    startTestProduct(place, {
      clock,
      settings: {
        SMTP_URL: smtp.url,
        MAIL_FROM: 'Sohbet <hello@example.com>',
        LOG_LEVEL: 'silent',
        ...settings,
      },
    })
  const queue = (more: Partial<NewMail> = {}) =>
    transaction(product.ctx, (tx) =>
      queueMail(tx, {
        workspaceId: workspace.id,
        to: 'ayse@example.com',
        language: 'tr',
        subject: 'Randevunuz — yarın, saat 10:00, İstanbul şubesi',
        text: TEXT,
        ...more,
      }),
    )
  const mails = () => product.ctx.db.selectFrom('mails').selectAll().execute()
  const settled = (expected: object) =>
    eventually(async () => expect(await mails()).toMatchObject([expected]))

  test('is sent to a manager who wants to see that mails arrive', async () => {
    const ask = <Body>(path: string, method: string) =>
      product.call<Body>(`/api/v1/workspace/mail${path}`, { method, token: workspace.token })
    expect((await ask('', 'GET')).body).toEqual({
      configured: true,
      sender: 'hello@example.com',
      waiting: 0,
      failed: 0,
    })
    const asked = await ask<{ to: string }>('/test', 'POST')
    expect([asked.status, asked.body.to]).toEqual([202, workspace.email])
    const [mail] = await smtp.waitFor(1)
    expect(mail?.to).toEqual([workspace.email])
    expect(mail?.headers['subject']).toMatch(/Sohbet/)
  })

  test('arrives as it was written, with what is attached, once', async () => {
    const calendar = 'BEGIN:VCALENDAR\r\nSUMMARY:Diş kontrolü\r\nEND:VCALENDAR\r\n'
    await queue({
      attachments: [{ filename: 'randevu.ics', mediaType: 'text/calendar', content: calendar }],
    })
    const [mail] = await smtp.waitFor(1)
    expect(mail).toMatchObject({
      from: 'hello@example.com',
      to: ['ayse@example.com'],
      text: TEXT,
      attachments: [{ filename: 'randevu.ics', mediaType: 'text/calendar', content: calendar }],
    })
    expect(mail?.headers).toMatchObject({
      from: 'Sohbet <hello@example.com>',
      to: 'ayse@example.com',
      subject: 'Randevunuz — yarın, saat 10:00, İstanbul şubesi',
      'content-language': 'tr',
      'message-id': expect.stringMatching(/^<mail_\w+@localhost>$/),
    })
    expect(smtp.logins).toEqual(['sender'])
    await settled({ state: 'sent', content: null, attempts: 1 })
    clock.move(10 * MINUTE_MS)
    await queue({ to: 'ali@example.com' })
    await smtp.waitFor(2)
    expect(smtp.received.map(({ to }) => to)).toEqual([['ayse@example.com'], ['ali@example.com']])
  })

  test('comes from a name with a comma, quoted as mail programs do', async () => {
    await product.stop()
    product = await start({ MAIL_FROM: '"Diş, \\"Gülüş\\" Kliniği" <hello@example.com>' })
    await queue()
    const [mail] = await smtp.waitFor(1)
    expect(mail?.from).toBe('hello@example.com')
    expect(mail?.headers.from).toMatch(/Diş, \\?"Gülüş\\?" Kliniği"? <hello@example\.com>$/)
  })

  test('is not sent when what caused it did not happen', async () => {
    const failed = transaction(product.ctx, async (tx) => {
      const nothing = { language: 'en', subject: '', text: '' }
      await queueMail(tx, { workspaceId: workspace.id, to: 'a@example.com', ...nothing })
      throw new Error('It did not happen.')
    })
    await expect(failed).rejects.toThrow('It did not happen.')
    await queue()
    expect((await smtp.waitFor(1)).map(({ to }) => to)).toEqual([['ayse@example.com']])
  })

  test('reads to nobody in the database', async () => {
    smtp.act = { rcpt: '451 Later' }
    await queue({ text: 'The secret link' })
    await settled({ state: 'waiting', attempts: 1 })
    expect(JSON.stringify(await mails())).not.toMatch(/secret link|Randevu/)
  })

  test.each([
    ['is not reached', { rcpt: '421 4.3.0 Not now' }],
    ['cuts the line', 'cut'],
    ['takes the name but not the mail', { data: '452 4.2.2 Mailbox full' }],
  ] as const)('is tried again when the mail server %s', async (_, act) => {
    smtp.act = act
    await queue()
    await settled({ state: 'waiting', attempts: 1, next_at: clock.now() + 10 * SECOND_MS })
    clock.move(10 * SECOND_MS)
    await settled({ state: 'waiting', attempts: 2, next_at: clock.now() + MINUTE_MS })
    smtp.act = 'take'
    clock.move(MINUTE_MS)
    expect(await smtp.waitFor(1)).toMatchObject([{ text: TEXT }])
    await settled({ state: 'sent', attempts: 3 })
  })

  test('is given up at once for somebody who does not exist, and after a day for anybody', async () => {
    smtp.act = { rcpt: '550 5.1.1 No such person' }
    await queue()
    await settled({ state: 'failed', attempts: 1, content: null })
    await product.ctx.db.deleteFrom('mails').execute()
    smtp.act = { rcpt: '451 Later' }
    await queue()
    const asked = clock.now()
    for (let attempt = 1; (await mails())[0]?.state === 'waiting'; attempt += 1) {
      const wait = await eventually(async () => {
        const [mail] = await mails()
        const next = (mail?.next_at ?? 0) - clock.now()
        if (mail?.state === 'failed') return 0
        expect(mail?.attempts).toBe(attempt)
        expect(mail?.lease_until).toBeNull()
        return next
      })
      clock.move(wait)
    }
    expect(clock.now()).toBeLessThanOrEqual(asked + DAY_MS)
    await settled({ state: 'failed', content: null, error: expect.stringContaining('451') })
    clock.move(7 * DAY_MS)
    await expireMails(product.ctx)
    expect(await mails()).toEqual([])
  })

  if (database.kind === 'postgres') {
    test('is sent once, however many processes could send it', async () => {
      const other = await start()
      try {
        const people = Array.from({ length: 30 }, (_, count) => `person${count}@example.com`)
        await Promise.all(people.map((to) => queue({ to })))
        await smtp.waitFor(30)
        await eventually(async () => {
          expect((await mails()).filter(({ state }) => state === 'sent').length).toBe(30)
        })
        clock.move(10 * MINUTE_MS)
        expect(smtp.received.flatMap(({ to }) => to).toSorted()).toEqual(people.toSorted())
      } finally {
        await other.stop()
      }
    })
  }

  test('survives the process: the next one sends it', async () => {
    await product.stop()
    const refusing = smtp.url
    product = await start({ SMTP_URL: 'smtp://127.0.0.1:1' })
    await queue()
    await settled({ state: 'waiting', attempts: 1 })
    await product.stop()
    clock.move(MINUTE_MS)
    product = await start({ SMTP_URL: refusing })
    expect(await smtp.waitFor(1)).toMatchObject([{ text: TEXT }])
  })
})

describeOnBothDatabases("a developer's page of mails", (database) => {
  const html = '<b>"Ayşe" & <script>alert(1)</script></b>\nhttp://localhost:3000/reset?token=abc'
  const run = async (
    settings: Record<string, string>,
    look: (product: StartedProduct) => Promise<void>,
  ) => {
    const product = await startTestProduct(await database.create(), { settings })
    try {
      const { id } = await addWorkspace(product)
      const written = { language: 'en', subject: '<i>Hello</i>', text: html }
      const mail = { workspaceId: id, to: 'ayse@example.com', ...written }
      await transaction(product.ctx, (tx) => queueMail(tx, mail))
      await look(product)
    } finally {
      await product.stop()
    }
  }

  test('shows what would have been sent, as text', async () => {
    await run({}, async (product) => {
      const { status, text, headers } = await product.call(`${product.devPath}/mail`)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(text).toContain('ayse@example.com')
      expect(text).toContain('&lt;i&gt;Hello&lt;/i&gt;')
      expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
      expect(text).not.toMatch(/<script|<b>|<i>/)
      expect(text).toContain('<a href="http://localhost:3000/reset?token=abc">')
      const turkish = await product.call(`${product.devPath}/mail`, {
        headers: { 'accept-language': 'tr-TR' },
      })
      expect(turkish.text).toContain('Gönderilmeyen e-postalar')
    })
  })

  test.each([
    ['in production', { NODE_ENV: 'production' }, {}],
    ['where people come from outside', { PUBLIC_URL: 'https://chat.example.com' }, {}],
    ['where mails are sent', { SMTP_URL: 'smtp://127.0.0.1:1', LOG_LEVEL: 'silent' }, {}],
    ['through a proxy', {}, { 'x-forwarded-for': '192.0.2.1' }],
  ])('is not there %s', async (_, settings, headers) => {
    await run({ ...settings }, async (product) => {
      const answer = await product.call<Problem>(`${product.devPath}/mail`, {
        headers: { ...headers },
      })
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
    })
  })
})
