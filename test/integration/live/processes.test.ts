import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Session } from '../../../server/chat/schema.ts'
import type { TokenAnswer } from '../../../server/platform/schema.ts'
import type { VisitorAnswer } from '../../helpers/answers.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { type LiveReader, openLive } from '../../helpers/live.ts'
import { type TestProcess, startTestProcess } from '../../helpers/process.ts'
import { OPERATOR_TOKEN, callOver } from '../../helpers/product.ts'

const OWNER = { email: 'owner@example.com', name: 'Owner', password: 'a long password' }

describeOnBothDatabases('several processes', (database) => {
  if (database.kind === 'sqlite') {
    test('are for Postgres; the embedded database has one', () => {
      expect(database.kind).toBe('sqlite')
    })
    return
  }

  describe.each([
    { name: 'with Redis', settings: { REDIS_URL: process.env.TEST_REDIS_URL ?? '' } },
    { name: 'without Redis', settings: {} },
  ])('$name', ({ name, settings }) => {
    const processes: TestProcess[] = []
    const readers: LiveReader[] = []
    let owner: string
    let visitor: string
    let session_id: string
    const [here, there] = [() => processes[0]?.url ?? '', () => processes[1]?.url ?? '']

    beforeAll(async () => {
      const place = await database.create()
      processes.push(await startTestProcess(place, settings))
      processes.push(await startTestProcess(place, settings))
      await callOver(here(), '/api/v1/operator/workspaces', {
        token: OPERATOR_TOKEN,
        body: { name: 'Shop', plan: 'klinik_pro', locale: 'en', owner: OWNER },
      })
      const { email, password } = OWNER
      const signedIn = await callOver<TokenAnswer>(here(), '/api/v1/auth/token', {
        body: { email, password },
      })
      owner = signedIn.body.access_token
      await callOver(here(), '/api/v1/tenants', {
        token: owner,
        body: { tenant_id: 'shop', name: 'Shop' },
      })
      const became = await callOver<VisitorAnswer>(there(), '/api/v1/auth/visitor', {
        body: { tenant_id: 'shop' },
      })
      visitor = became.body.access_token
      const opened = await callOver<Session>(there(), '/api/v1/chatbot/sessions', {
        token: visitor,
        body: { tenant_id: 'shop' },
      })
      session_id = opened.body.session_id
    })
    afterAll(async () => {
      for (const reader of readers) reader.close()
      for (const each of processes) await each.end('SIGKILL')
    })

    async function read(base: string, path: string, token: string): Promise<LiveReader> {
      const reader = await openLive(base, path, { token })
      readers.push(reader)
      await reader.waitFor(() => true)
      return reader
    }

    test('what is written on one arrives at readers of the other', async () => {
      const theirs = await read(here(), `/api/v1/chatbot/sessions/${session_id}/live`, visitor)
      const ours = await read(there(), '/api/v1/live', owner)
      for (const text of ['One', 'Two', 'Three']) {
        const written = await callOver(there(), `/api/v1/inbox/${session_id}/messages`, {
          token: owner,
          body: { text },
        })
        expect(written.status).toBe(201)
        await theirs.waitFor(({ data }) => data.content === text)
        await callOver(here(), '/api/v1/chatbot/message', {
          token: visitor,
          body: { tenant_id: 'shop', session_id, message: `${text} again` },
        })
        await ours.waitFor(({ data }) => data.content === `${text} again`)
      }
      const ids = ours.events.map(({ id }) => Number(id))
      expect(new Set(ids).size).toBe(ids.length)
    })

    // Typing is not kept, so that polling cannot find it.
    if (name === 'with Redis') {
      test('typing is seen on the other', async () => {
        const theirs = await read(here(), `/api/v1/chatbot/sessions/${session_id}/live`, visitor)
        await callOver(there(), `/api/v1/inbox/${session_id}/typing`, {
          method: 'POST',
          token: owner,
        })
        const typing = await theirs.waitFor((event) => event.name === 'typing')
        expect(typing.data).toMatchObject({ role: 'operator', name: 'Owner' })
      })
    }

    test('a process that stops sends its readers to the others, and they miss nothing', async () => {
      const path = `/api/v1/chatbot/sessions/${session_id}/live`
      const before = await read(here(), path, visitor)
      expect(await processes[0]?.end('SIGTERM')).toBe(0)
      expect(await before.ended).toEqual({ clean: true })
      expect(before.events.at(-1)).toMatchObject({
        name: 'reconnect',
        data: { reason: 'restarting' },
      })
      await callOver(there(), `/api/v1/inbox/${session_id}/messages`, {
        token: owner,
        body: { text: 'Meanwhile' },
      })
      const after = await openLive(there(), path, {
        token: visitor,
        lastEventId: before.lastId() ?? '',
      })
      readers.push(after)
      await after.waitFor(({ data }) => data.content === 'Meanwhile')
      expect(after.events).toHaveLength(1)
    })
  })
})
