import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import type { HistoryMessage, Session } from '../../../server/chat/schema.ts'
import type { Page } from '../../helpers/answers.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { type SeenEvent, openLive } from '../../helpers/live.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

const SESSIONS = 6
const MESSAGES = 15
/** How long a reader stays before the line is cut, in milliseconds: a few events, or none. */
const STAYS = [5, 20, 60, 0, 35]

describeOnBothDatabases('readers who are cut off again and again', (database) => {
  let own: TestWorkspace
  let visitor: string

  const product = useProduct(database)
  beforeAll(async () => {
    own = await addWorkspace(product)
    visitor = await addVisitor(product, own)
  })

  /** Reads a stream over many short connections until `isOver`, then once more to the end. */
  async function readInPieces(
    path: string,
    token: string,
    isOver: () => boolean,
    last: () => string,
  ) {
    const seen: SeenEvent[] = []
    let lastEventId = '0'
    for (let turn = 0; ; turn += 1) {
      const isLast = isOver()
      const reader = await openLive(product.url, path, { token, lastEventId })
      const isLastOne = ({ data }: SeenEvent) => data.content === last()
      if (!isLast) await sleep(STAYS[turn % STAYS.length])
      else if (!seen.some(isLastOne)) await reader.waitFor(isLastOne, 'the last message')
      reader.close()
      await reader.ended
      seen.push(...reader.events)
      lastEventId = reader.lastId() ?? lastEventId
      if (isLast) return seen
    }
  }

  test('get everything once and in order, while others write', async () => {
    const sessions = await Promise.all(
      Array.from({ length: SESSIONS }, async () => {
        const opened = await product.call<Session>('/api/v1/chatbot/sessions', {
          token: visitor,
          body: { tenant_id: own.tenantId },
        })
        return opened.body.session_id
      }),
    )
    const [watched = ''] = sessions
    let isOver = false
    const write = async (session_id: string) => {
      for (let number = 1; number <= MESSAGES; number += 1) {
        const sent = await product.call('/api/v1/chatbot/message', {
          token: visitor,
          body: { tenant_id: own.tenantId, session_id, message: `Message ${number}` },
        })
        expect(sent.status, sent.text).toBe(200)
      }
    }
    const writing = Promise.all(sessions.map(write))
      .then(() =>
        product.call('/api/v1/chatbot/message', {
          token: visitor,
          body: { tenant_id: own.tenantId, session_id: watched, message: 'The last one' },
        }),
      )
      .finally(() => {
        isOver = true
      })
    const [mine, all] = await Promise.all([
      readInPieces(
        `/api/v1/chatbot/sessions/${watched}/live`,
        visitor,
        () => isOver,
        () => 'The last one',
      ),
      readInPieces(
        '/api/v1/live',
        own.token,
        () => isOver,
        () => 'The last one',
      ),
      writing,
    ])
    const idsOf = (events: SeenEvent[], session: string) =>
      events
        .filter(({ name, data }) => name === 'message' && data.session_id === session)
        .map(({ data }) => String(data.message_id))
    const orderOf = (events: SeenEvent[]) => events.map(({ id }) => Number(id))
    for (const events of [mine, all]) {
      expect(orderOf(events)).toEqual(orderOf(events).toSorted((one, other) => one - other))
      expect(new Set(orderOf(events)).size).toBe(events.length)
      expect(events.map(({ name }) => name)).not.toContain('reset')
    }
    for (const session of sessions) {
      const history = await product.call<Page<HistoryMessage>>(
        `/api/v1/chatbot/sessions/${session}/messages?limit=100`,
        { token: visitor },
      )
      const kept = history.body.data.map(({ message_id }) => message_id)
      expect(kept.length).toBeGreaterThanOrEqual(2 * MESSAGES)
      const readers = session === watched ? [mine, all] : [all]
      // The answer to the last message may come after the reader has left.
      for (const told of readers.map((events) => idsOf(events, session))) {
        expect(told).toEqual(kept.slice(0, told.length))
        expect(kept.length - told.length).toBeLessThanOrEqual(1)
      }
    }
  })
})
