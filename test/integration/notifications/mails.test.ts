import { afterAll, beforeAll, expect, test } from 'vitest'
import { attendWaiting } from '../../../server/chat/handoff/waiting.ts'
import type { Turn } from '../../../server/chat/schema.ts'
import { transaction } from '../../../server/context.ts'
import { emit } from '../../../server/events.ts'
import { HOUR_MS, MINUTE_MS } from '../../../server/lib/durations.ts'
import { sendNotifications } from '../../../server/notifications/notifier.ts'
import type { NotificationPreferences } from '../../../server/notifications/schema.ts'
import type { Problem } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { addMember } from '../../helpers/members.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { type SmtpServer, startSmtpServer } from '../../helpers/servers/smtp.ts'
import { useProduct } from '../../helpers/use-product.ts'

/** A Wednesday, 12:10 in Istanbul. */
const NOON = Date.UTC(2026, 10, 25, 9, 10)
const PATH = '/api/v1/account/notifications'

describeOnBothDatabases('notifications by mail', (database) => {
  const clock = new TestClock(NOON)
  let smtp: SmtpServer
  let workspace: TestWorkspace
  let visitor: string

  beforeAll(async () => {
    smtp = await startSmtpServer()
  })
  afterAll(() => smtp.close())
  const product = useProduct(database, () => ({
    clock,
    settings: { SMTP_URL: smtp.url, MAIL_FROM: 'sohbet@example.com' },
  }))

  async function openSite() {
    workspace = await addWorkspace(product, { tenant: { locale: 'en', name: 'Seramik' } })
    visitor = await addVisitor(product, workspace)
    const { body } = await product.call<Turn>('/api/v1/chatbot/message', {
      token: visitor,
      body: { tenant_id: workspace.tenantId, message: 'Is my vase\non its way?' },
    })
    return body.session_id
  }
  const post = (path: string, body?: unknown) =>
    product.call(`/api/v1/chatbot/sessions/${path}`, { method: 'POST', token: visitor, body })
  const save = (token: string, body: unknown) =>
    product.call<NotificationPreferences & Problem>(PATH, { method: 'PUT', token, body })
  const mailsTo = (address: string) => smtp.received.filter(({ to }) => to.includes(address))
  /** Resolves with the last mail to an address once there are so many. */
  async function lastMail(address: string, count: number) {
    await expect.poll(() => mailsTo(address)).toHaveLength(count)
    return mailsTo(address)[count - 1]
  }

  test('a request for a person and a contact reach owners and operators, once in ten minutes', async () => {
    const session_id = await openSite()
    const ayse = await addMember(product, workspace, { name: 'Ayşe' })
    await post(`${session_id}/handoff`)
    const asked = await lastMail(ayse.email, 1)
    expect(asked?.headers.subject).toBe('Seramik: bir ziyaretçi temsilciye bağlanmak istiyor')
    expect(asked?.text).toContain('Merhaba Ayşe,')
    expect(asked?.text).toContain('Ziyaretçi: Is my vase on its way?')
    expect(asked?.text).toContain(`http://localhost:3000/panel/inbox/${session_id}`)
    await lastMail(workspace.email, 1)
    clock.move(MINUTE_MS)
    await attendWaiting(product.ctx)
    await post(`${session_id}/lead`, {
      name: 'Zeynep Demir',
      phone: '+90 532 123 45 67',
      email: 'zeynep@example.com',
    })
    await sendNotifications(product.ctx)
    expect(mailsTo(ayse.email)).toHaveLength(1)
    clock.move(9 * MINUTE_MS)
    await sendNotifications(product.ctx)
    const later = await lastMail(ayse.email, 2)
    expect(later?.headers.subject).toBe('Seramik: yeni iletişim bilgisi, Zeynep Demir')
    expect(later?.text).toContain('bir ziyaretçi yanıt bekliyor')
    expect(later?.text).toContain('+905321234567')
  })

  test('a phone number in the conversation reaches the team, before it is a whole lead', async () => {
    const session_id = await openSite()
    const write = (message: string) =>
      product.call<Turn>('/api/v1/chatbot/message', {
        token: visitor,
        body: { tenant_id: workspace.tenantId, session_id, message },
      })
    const { body } = await write('My name is Zeynep Demir, call me on +90 532 123 45 67')
    expect(body.reply?.content).toContain('We will call you on …4567.')
    const mail = await lastMail(workspace.email, 1)
    expect(mail?.headers.subject).toContain('Zeynep Demir')
    expect(mail?.text).toContain('+905321234567')
    const inbox = await product.call<{ visitor: object }>(`/api/v1/inbox/${session_id}`, {
      token: workspace.token,
    })
    expect(inbox.body.visitor).toMatchObject({ name: 'Zeynep Demir', phone: '+905321234567' })
    await write('or +90 532 123 45 68')
    clock.move(10 * MINUTE_MS)
    await sendNotifications(product.ctx)
    expect(mailsTo(workspace.email)).toHaveLength(1)
  })

  test('a member who has already answered the visitor receives no second mail', async () => {
    const session_id = await openSite()
    await post(`${session_id}/handoff`)
    await lastMail(workspace.email, 1)
    clock.move(MINUTE_MS)
    await attendWaiting(product.ctx)
    await product.call(`/api/v1/inbox/${session_id}/messages`, {
      token: workspace.token,
      body: { text: 'Yes, it left today.' },
    })
    clock.move(10 * MINUTE_MS)
    await sendNotifications(product.ctx)
    const left = await product.ctx.db
      .selectFrom('notifications')
      .select('id')
      .where('workspace_id', '=', workspace.id)
      .execute()
    expect(left).toEqual([])
    expect(mailsTo(workspace.email)).toHaveLength(1)
  })

  test('a visitor with whom the bot has gone on meanwhile waits no more', async () => {
    const session_id = await openSite()
    await post(`${session_id}/handoff`)
    await lastMail(workspace.email, 1)
    clock.move(MINUTE_MS)
    await attendWaiting(product.ctx)
    clock.move(MINUTE_MS)
    await attendWaiting(product.ctx)
    await post(`${session_id}/lead`, {
      name: 'Zeynep Demir',
      phone: '+90 532 123 45 67',
      email: 'zeynep@example.com',
    })
    clock.move(9 * MINUTE_MS)
    await sendNotifications(product.ctx)
    const later = await lastMail(workspace.email, 2)
    expect(later?.text).not.toContain('yanıt bekliyor')
  })

  test('each person chooses by kind: at once, in one mail an hour, or never', async () => {
    const session_id = await openSite()
    const never = await addMember(product, workspace)
    const hourly = await addMember(product, workspace)
    const standard = (await product.call<NotificationPreferences>(PATH, never)).body
    expect(standard.email).toEqual({
      lead: 'now',
      handoff: 'now',
      waiting: 'now',
      credits: 'now',
      webhooks: 'now',
    })
    const digest = { ...standard.email, handoff: 'digest', credits: 'digest' }
    await save(hourly.token, { ...standard, email: digest })
    const saved = await save(never.token, {
      ...standard,
      email: { ...standard.email, handoff: 'never', credits: 'never' },
    })
    expect(saved.body.email.handoff).toBe('never')
    const wrong = await save(never.token, { ...standard, email: { lead: 'soon' } })
    expect(wrong.status).toBe(422)
    await post(`${session_id}/handoff`)
    await transaction(product.ctx, (tx) =>
      emit(tx, 'credits.low', {
        workspaceId: workspace.id,
        data: {
          remaining: 1_900,
          monthly_limit: 20_000,
          addons: 0,
          reset_at: '2026-12-01T00:00:00.000Z',
        },
      }),
    )
    await expect
      .poll(() =>
        mailsTo(workspace.email)
          .map(({ headers }) => headers.subject)
          .toSorted((one = '', other = '') => one.localeCompare(other)),
      )
      .toEqual([
        'Krediniz azalıyor: 1.900 kredi kaldı',
        'Seramik: bir ziyaretçi temsilciye bağlanmak istiyor',
      ])
    expect(mailsTo(hourly.email)).toEqual([])
    clock.move(HOUR_MS)
    await sendNotifications(product.ctx)
    const one = await lastMail(hourly.email, 1)
    expect(one?.headers.subject).toBe('Sohbet: 2 bildirim')
    expect(one?.text).toContain('/panel/credits')
    expect(one?.text).toContain(`/panel/inbox/${session_id}`)
    expect(mailsTo(never.email)).toEqual([])
  })
})
