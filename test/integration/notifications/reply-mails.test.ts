import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Turn } from '../../../server/chat/schema.ts'
import { mailReplies } from '../../../server/inbox/reply-mails.ts'
import { DAY_MS, MINUTE_MS } from '../../../server/lib/durations.ts'
import { TestClock } from '../../helpers/clock.ts'
import { cookiesOf } from '../../helpers/cookies.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { openLive } from '../../helpers/live.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { type SmtpServer, startSmtpServer } from '../../helpers/servers/smtp.ts'
import { useProduct } from '../../helpers/use-product.ts'

describeOnBothDatabases("an operator's answer", (database) => {
  const clock = new TestClock(Date.UTC(2026, 10, 25, 9))
  let smtp: SmtpServer
  let workspace: TestWorkspace
  let visitor: string
  let made = 0

  beforeAll(async () => {
    smtp = await startSmtpServer()
  })
  afterAll(() => smtp.close())
  const product = useProduct(database, () => ({ clock, settings: { SMTP_URL: smtp.url } }))

  /** A conversation in which the visitor has left an address, and its mails. */
  async function openConversation(options: { hasLead: boolean } = { hasLead: true }) {
    workspace = await addWorkspace(product, { tenant: { locale: 'en', name: 'Seramik' } })
    visitor = await addVisitor(product, workspace)
    const { body } = await product.call<Turn>('/api/v1/chatbot/message', {
      token: visitor,
      body: { tenant_id: workspace.tenantId, message: 'Is my vase on its way?' },
    })
    made += 1
    const email = `zeynep${made}@example.net`
    if (options.hasLead) {
      await product.call(`/api/v1/chatbot/sessions/${body.session_id}/lead`, {
        token: visitor,
        body: { name: 'Zeynep', phone: '+90 532 123 45 67', email },
      })
    }
    return { sessionId: body.session_id, email }
  }
  const answer = (sessionId: string, text: string) =>
    product.call(`/api/v1/inbox/${sessionId}/messages`, { token: workspace.token, body: { text } })
  const mailsTo = (address: string) => smtp.received.filter(({ to }) => to.includes(address))
  const pending = (sessionId: string) =>
    product.ctx.db
      .selectFrom('pending_replies')
      .selectAll()
      .where('session_id', '=', sessionId)
      .execute()

  test('reaches a visitor who has left by mail, with a link back to the conversation', async () => {
    const { sessionId, email } = await openConversation()
    await answer(sessionId, 'It left today.')
    await answer(sessionId, 'Tracking number: 42.')
    clock.move(4 * MINUTE_MS)
    await mailReplies(product.ctx)
    expect(await pending(sessionId)).toHaveLength(1)
    clock.move(MINUTE_MS)
    await mailReplies(product.ctx)
    await expect.poll(() => mailsTo(email)).toHaveLength(1)
    const [mail] = mailsTo(email)
    expect(mail?.headers.subject).toBe('Seramik has replied')
    expect(mail?.text).toContain('Owner:\nIt left today.\n\nOwner:\nTracking number: 42.')
    const link = /http:\/\/localhost:3000(\/chat\/\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
    const opened = await fetch(product.url + link, { redirect: 'manual' })
    expect(opened.status).toBe(303)
    const cookie = cookiesOf(opened.headers).get('svc_chat')?.value ?? ''
    const page = await product.call(opened.headers.get('location') ?? '', {
      headers: { cookie: `svc_chat=${cookie}` },
    })
    expect(page.text).toContain('Tracking number: 42.')
    expect((await product.call(`${link}x`)).status).toBe(404)
    const other = await addWorkspace(product)
    const elsewhere = link.replace(workspace.tenantId, other.tenantId)
    expect((await product.call(elsewhere)).status).toBe(404)
    clock.move(7 * DAY_MS)
    expect((await product.call(link)).status).toBe(404)
    // A reply that was mailed or read is not mailed again.
    await mailReplies(product.ctx)
    expect(mailsTo(email)).toHaveLength(1)
  })

  test('is not mailed to a visitor who is there, or has read it', async () => {
    const { sessionId, email } = await openConversation()
    await answer(sessionId, 'It left today.')
    const live = await openLive(product.url, `/api/v1/chatbot/sessions/${sessionId}/live`, {
      token: visitor,
    })
    for (let passed = 0; passed < 12; passed += 1) {
      clock.move(MINUTE_MS / 2)
      await expect
        .poll(async () => {
          const row = await product.ctx.db
            .selectFrom('visitor_activity')
            .select('seen_at')
            .where('session_id', '=', sessionId)
            .executeTakeFirst()
          return row?.seen_at
        })
        .toBe(clock.now())
    }
    await mailReplies(product.ctx)
    expect(await pending(sessionId)).toHaveLength(1)
    await product.call(`/api/v1/chatbot/sessions/${sessionId}/read`, {
      method: 'POST',
      token: visitor,
    })
    live.close()
    // The server may learn later that the stream is closed.
    await expect
      .poll(async () => {
        clock.move(6 * MINUTE_MS)
        await mailReplies(product.ctx)
        return pending(sessionId)
      })
      .toEqual([])
    expect(mailsTo(email)).toEqual([])
  })

  test('waits in the history of a visitor without an address', async () => {
    const { sessionId } = await openConversation({ hasLead: false })
    await answer(sessionId, 'It left today.')
    clock.move(5 * MINUTE_MS)
    await mailReplies(product.ctx)
    expect(await pending(sessionId)).toEqual([])
  })
})
