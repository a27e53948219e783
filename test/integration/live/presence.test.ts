import { expect, test } from 'vitest'
import { attendWaiting } from '../../../server/chat/handoff/waiting.ts'
import type { Handoff, HistoryMessage, Turn } from '../../../server/chat/schema.ts'
import { MINUTE_MS, SECOND_MS } from '../../../server/lib/durations.ts'
import type { MemberPresence } from '../../../server/presence/schema.ts'
import type { Page } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { openLive } from '../../helpers/live.ts'
import { addMember } from '../../helpers/members.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

/** A Wednesday, 12:00 in Istanbul. */
const NOON = Date.UTC(2026, 10, 25, 9)

describeOnBothDatabases('operators who are there, and who are not', (database) => {
  const clock = new TestClock(NOON)
  const product = useProduct(database, { clock })

  async function openSite(tenant: Record<string, unknown> = {}) {
    const workspace = await addWorkspace(product, {
      tenant: { locale: 'en', time_zone: 'Europe/Istanbul', ...tenant },
    })
    return { workspace, visitor: await addVisitor(product, workspace) }
  }
  type Site = { workspace: TestWorkspace; visitor: string }

  async function say({ workspace, visitor }: Site, message: string, sessionId?: string) {
    const session = sessionId === undefined ? {} : { session_id: sessionId }
    const { body } = await product.call<Turn>('/api/v1/chatbot/message', {
      token: visitor,
      body: { tenant_id: workspace.tenantId, message, ...session },
    })
    return body
  }
  const ask = async ({ visitor }: Site, sessionId: string) =>
    (
      await product.call<Handoff>(`/api/v1/chatbot/sessions/${sessionId}/handoff`, {
        method: 'POST',
        token: visitor,
      })
    ).body
  const lastOf = async ({ visitor }: Site, sessionId: string) =>
    (
      await product.call<Page<HistoryMessage>>(
        `/api/v1/chatbot/sessions/${sessionId}/messages?limit=100`,
        { token: visitor },
      )
    ).body.data.at(-1)
  const stateOf = async ({ workspace }: Site, sessionId: string) =>
    (await product.call<{ state: string }>(`/api/v1/inbox/${sessionId}`, workspace)).body.state
  const setPresence = (token: string, state: string) =>
    product.call<MemberPresence>('/api/v1/presence', { method: 'PUT', token, body: { state } })
  const presence = async (token: string) =>
    (await product.call<Page<MemberPresence>>('/api/v1/presence', { token })).body.data

  test('operators say that they are there, and are off two minutes after their last call', async () => {
    const { workspace } = await openSite()
    const ayse = await addMember(product, workspace, { name: 'Ayşe' })
    expect(await presence(workspace.token)).toEqual([
      { user_id: ayse.id, name: 'Ayşe', picture_url: null, state: 'off', since: null },
      expect.objectContaining({ name: 'Owner', state: 'off', since: null }),
    ])
    const set = await setPresence(ayse.token, 'online')
    expect([set.status, set.body.state]).toEqual([200, 'online'])
    expect((await setPresence(ayse.token, 'busy')).status).toBe(422)
    // An open live stream keeps them there, as the panel has one.
    const stream = await openLive(product.url, '/api/v1/live', { token: ayse.token })
    for (let passed = 0; passed < 6; passed += 1) {
      clock.move(MINUTE_MS / 2)
      await expect
        .poll(async () => {
          const row = await product.ctx.db
            .selectFrom('presence')
            .select('seen_at')
            .where('user_id', '=', ayse.id)
            .executeTakeFirst()
          return row?.seen_at
        })
        .toBe(clock.now())
    }
    expect((await presence(workspace.token))[0]).toMatchObject({
      state: 'online',
      since: set.body.since,
    })
    stream.close()
    await expect.poll(() => product.ctx.streams.liveMembers()).not.toContain(ayse.id)
    clock.move(2 * MINUTE_MS)
    expect((await presence(workspace.token))[0]).toMatchObject({ state: 'off' })
  })

  test('who is online decides what visitors are promised', async () => {
    const site = await openSite({ office_hours: { mon: [{ from: '09:00', to: '17:00' }] } })
    const closed = await say(site, 'Hello')
    expect(await ask(site, closed.session_id)).toMatchObject({ state: 'bot', available: false })
    await setPresence(site.workspace.token, 'online')
    expect(await ask(site, closed.session_id)).toMatchObject({ state: 'waiting', available: true })
    expect((await lastOf(site, closed.session_id))?.content).toContain('connecting you')
    const open = await openSite()
    const { session_id } = await say(open, 'Hello')
    await ask(open, session_id)
    expect((await lastOf(open, session_id))?.content).toContain("We've told our team")
  })

  test('who waits for nobody is told so, and has the assistant back', async () => {
    const site = await openSite({ handoff_timeout_seconds: 180 })
    const { session_id } = await say(site, 'Hello')
    await ask(site, session_id)
    const live = await openLive(product.url, `/api/v1/chatbot/sessions/${session_id}/live`, {
      token: site.visitor,
    })
    clock.move(179 * SECOND_MS)
    await attendWaiting(product.ctx)
    expect(await stateOf(site, session_id)).toBe('waiting')
    clock.move(SECOND_MS)
    await attendWaiting(product.ctx)
    const told = await live.waitFor(({ name, data }) => name === 'message' && data.form === 'lead')
    expect(told.data).toMatchObject({
      role: 'system',
      content: 'Nobody is free right now. Leave your e-mail, or go on with the assistant.',
    })
    expect(live.events.findLast(({ name }) => name === 'state')?.data).toEqual({
      session_id,
      state: 'bot',
      operator: null,
    })
    live.close()
    expect((await say(site, 'Are you open?', session_id)).reply).not.toBeNull()
    const claimed = await product.call<{ state: string }>(`/api/v1/inbox/${session_id}/claim`, {
      method: 'POST',
      token: site.workspace.token,
    })
    expect(claimed.body.state).toBe('operator')
  })

  test('an operator who takes a conversation and leaves does not silence it', async () => {
    const site = await openSite()
    const { session_id } = await say(site, 'Hello')
    await ask(site, session_id)
    await product.call(`/api/v1/inbox/${session_id}/messages`, {
      token: site.workspace.token,
      body: { text: 'How can I help?' },
    })
    clock.move(10 * MINUTE_MS)
    await attendWaiting(product.ctx)
    // Nothing is owed: the operator wrote last.
    expect(await stateOf(site, session_id)).toBe('operator')
    await setPresence(site.workspace.token, 'online')
    await say(site, 'When do you open?', session_id)
    clock.move(MINUTE_MS)
    await say(site, 'Are you there?', session_id)
    clock.move(MINUTE_MS)
    await setPresence(site.workspace.token, 'online')
    await attendWaiting(product.ctx)
    // Somebody who is online may look something up.
    expect(await stateOf(site, session_id)).toBe('operator')
    await setPresence(site.workspace.token, 'away')
    await attendWaiting(product.ctx)
    expect(await stateOf(site, session_id)).toBe('bot')
    expect((await say(site, 'When do you open?', session_id)).reply).not.toBeNull()
  })
})
