import { expect, test } from 'vitest'
import type { HistoryMessage, Session, Turn } from '../../../server/chat/schema.ts'
import type { InboxMessage } from '../../../server/inbox/schema.ts'
import { HOUR_MS } from '../../../server/lib/durations.ts'
import type { Page, Problem } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases, describeOnDatabase } from '../../helpers/databases.ts'
import { openLive } from '../../helpers/live.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

/** One white pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=',
  'base64',
)
const PDF = Buffer.from('%PDF-1.7\n%%EOF\n')

describeOnBothDatabases('files in a conversation', (database) => {
  const clock = new TestClock(Date.UTC(2026, 10, 25, 9))
  const product = useProduct(database, { clock })

  async function openConversation(tenant: Record<string, unknown> = { attachments: true }) {
    const workspace = await addWorkspace(product, { tenant: { locale: 'en', ...tenant } })
    const visitor = await addVisitor(product, workspace)
    const { body } = await product.call<Turn>('/api/v1/chatbot/message', {
      token: visitor,
      body: { tenant_id: workspace.tenantId, message: 'My vase is broken' },
    })
    return { workspace, visitor, sessionId: body.session_id }
  }
  async function send(path: string, token: string, bytes: Buffer, name: string) {
    const form = new FormData()
    form.append('file', new Blob([Uint8Array.from(bytes)], { type: 'text/html' }), name)
    const response = await fetch(product.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    })
    const body: InboxMessage & Problem = JSON.parse(await response.text())
    return { status: response.status, headers: response.headers, body }
  }
  const ofVisitor = (sessionId: string) => `/api/v1/chatbot/sessions/${sessionId}/attachments`
  const load = (url: string, token: string) =>
    fetch(product.url + url, { headers: { authorization: `Bearer ${token}` } })
  const stored = ({ id }: TestWorkspace) =>
    product.ctx.db.selectFrom('attachments').select('id').where('workspace_id', '=', id).execute()

  test('count in the plan, whose figures visitors do not read', async () => {
    const { workspace, visitor, sessionId } = await openConversation()
    expect((await send(ofVisitor(sessionId), visitor, PNG, 'a.png')).status).toBe(201)
    // As large as every plan allows.
    await product.ctx.db
      .updateTable('attachments')
      .set({ bytes: 10_000_000_000 })
      .where('workspace_id', '=', workspace.id)
      .execute()
    const refused = await send(ofVisitor(sessionId), visitor, PNG, 'b.png')
    expect([refused.status, refused.body.code]).toEqual([402, 'quota_exceeded'])
    expect(refused.body).not.toHaveProperty('allowed')
    const path = `/api/v1/inbox/${sessionId}/attachments`
    const told = await send(path, workspace.token, PNG, 'c.png')
    expect(told.body).toMatchObject({ code: 'quota_exceeded', used: 10_000_000_000 })
  })

  test('of visitors leave a fifth of the plan to the workspace', async () => {
    const { workspace, visitor, sessionId } = await openConversation()
    expect((await send(ofVisitor(sessionId), visitor, PNG, 'a.png')).status).toBe(201)
    await product.ctx.db
      .updateTable('attachments')
      .set({ bytes: 800_000_000 })
      .where('workspace_id', '=', workspace.id)
      .execute()
    const refused = await send(ofVisitor(sessionId), visitor, PNG, 'b.png')
    expect([refused.status, refused.body.code]).toEqual([402, 'quota_exceeded'])
    const path = `/api/v1/inbox/${sessionId}/attachments`
    expect((await send(path, workspace.token, PNG, 'c.png')).status).toBe(201)
  })

  test('go both ways, and are served so that they can do no harm', async () => {
    const { workspace, visitor, sessionId } = await openConversation()
    const live = await openLive(product.url, '/api/v1/live', { token: workspace.token })
    const sent = await send(ofVisitor(sessionId), visitor, PNG, "vase's.png")
    expect(sent.status).toBe(201)
    const [file] = sent.body.attachments
    expect(sent.body).toMatchObject({
      role: 'visitor',
      content: "vase's.png",
      attachments: [{ name: "vase's.png", media_type: 'image/png', bytes: PNG.length }],
    })
    const heard = await live.waitFor(
      ({ name, data }) => name === 'message' && data.role === 'visitor',
    )
    expect(heard.data.attachments).toEqual(sent.body.attachments)
    live.close()
    const history = await product.call<Page<HistoryMessage>>(
      `/api/v1/chatbot/sessions/${sessionId}/messages`,
      { token: visitor },
    )
    expect(history.body.data.at(-1)?.content).toBe('Thank you. Our team has your file.')
    const picture = await load(file?.url ?? '', workspace.token)
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(PNG)
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': "inline; filename*=UTF-8''vase%27s.png",
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    const inbox = `/api/v1/inbox/${sessionId}/attachments`
    const answer = await send(inbox, workspace.token, PDF, 'invoice.pdf')
    expect(answer.body).toMatchObject({
      role: 'operator',
      author: { name: 'Owner' },
      attachments: [{ media_type: 'application/pdf' }],
    })
    const pdf = await load(answer.body.attachments[0]?.url ?? '', visitor)
    expect(pdf.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''invoice.pdf")
    const stranger = await addVisitor(product, workspace)
    expect((await load(file?.url ?? '', stranger)).status).toBe(404)
    const other = await addWorkspace(product)
    expect((await load(file?.url ?? '', other.token)).status).toBe(403)
    await product.call(`/api/v1/chatbot/sessions/${sessionId}`, {
      method: 'DELETE',
      token: visitor,
    })
    expect(await stored(workspace)).toEqual([])
    expect((await load(file?.url ?? '', workspace.token)).status).toBe(404)
  })

  test('are off until the site turns them on', async () => {
    const { workspace, visitor, sessionId } = await openConversation({})
    expect((await send(ofVisitor(sessionId), visitor, PNG, 'a.png')).status).toBe(403)
    const config = await product.call<{ attachments: boolean }>(
      `/api/v1/widget/${workspace.tenantId}/config`,
    )
    expect(config.body.attachments).toBe(false)
  })

  test('are known by their bytes, limited in size, and five an hour', async () => {
    const { visitor, sessionId } = await openConversation()
    const path = ofVisitor(sessionId)
    const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="pwn()"/>')
    expect((await send(path, visitor, script, 'picture.png')).status).toBe(415)
    const large = Buffer.concat([PNG, Buffer.alloc(5_000_001)])
    expect((await send(path, visitor, large, 'large.png')).status).toBe(413)
    for (let count = 0; count < 5; count += 1) {
      expect((await send(path, visitor, PNG, 'a.png')).status).toBe(201)
    }
    const limited = await send(path, visitor, PNG, 'one-more.png')
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '3600'])
    clock.move(HOUR_MS)
    expect((await send(path, visitor, PNG, 'later.png')).status).toBe(201)
  })
})

describeOnDatabase('a stranger who fills a site with files', (database) => {
  const product = useProduct(database, { settings: { LIMIT_DEFAULT: '60' } })

  test('sends twenty an hour from one address, in whatever conversations', async () => {
    const workspace = await addWorkspace(product, { tenant: { attachments: true } })
    const statuses: number[] = []
    for (let visitor = 0; visitor < 5; visitor += 1) {
      const token = await addVisitor(product, workspace)
      const { body } = await product.call<Session>('/api/v1/chatbot/sessions', {
        token,
        body: { tenant_id: workspace.tenantId },
      })
      for (let file = 0; file < (visitor < 4 ? 5 : 1); file += 1) {
        const form = new FormData()
        form.append('file', new Blob([Uint8Array.from(PNG)]), 'a.png')
        const url = `${product.url}/api/v1/chatbot/sessions/${body.session_id}/attachments`
        const headers = { authorization: `Bearer ${token}` }
        statuses.push((await fetch(url, { method: 'POST', headers, body: form })).status)
      }
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 429])
  })
})
