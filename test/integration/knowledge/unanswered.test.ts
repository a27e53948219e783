import { beforeAll, expect, test } from 'vitest'
import type { UnansweredQuestion } from '../../../server/knowledge/schema.ts'
import { expireUnanswered } from '../../../server/knowledge/unanswered/unanswered.ts'
import { DAY_MS } from '../../../server/lib/durations.ts'
import type { TokenAnswer } from '../../../server/platform/schema.ts'
import type { Page } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import {
  type Answer,
  type TestWorkspace,
  addDocument,
  addVisitor,
  addWorkspace,
} from '../../helpers/product.ts'
import { withoutRandomParts } from '../../helpers/random-parts.ts'
import { useProduct } from '../../helpers/use-product.ts'

describeOnBothDatabases('a question without an answer', (database) => {
  const clock = new TestClock(Date.UTC(2026, 10, 20))
  let shop: TestWorkspace

  const product = useProduct(database, { clock })
  beforeAll(async () => {
    shop = await addWorkspace(product)
    await addDocument(product, shop, {
      title: 'Kargo',
      content: '# Kargo\n\nSiparişler iki iş günü içinde kargoya verilir.',
    })
  })

  async function ask(workspace: TestWorkspace, ...questions: string[]): Promise<void> {
    const token = await addVisitor(product, workspace)
    for (const message of questions) {
      const answer = await product.call('/api/v1/chatbot/message', {
        token,
        body: { tenant_id: workspace.tenantId, message },
      })
      expect(answer.status, answer.text).toBe(200)
    }
  }

  function list(workspace: TestWorkspace, query = ''): Promise<Answer<Page<UnansweredQuestion>>> {
    return product.call<Page<UnansweredQuestion>>(
      `/api/v1/tenants/${workspace.tenantId}/unanswered${query}`,
      {
        token: workspace.token,
      },
    )
  }

  test('is counted, in whatever words it is asked, and one with an answer is not', async () => {
    await ask(
      shop,
      'Zürafa maması satıyor musunuz?',
      'zurafa maması satıyor musun',
      'Siparişler ne zaman kargoya verilir?',
      'Akvaryum tamir ediyor musunuz?',
    )
    clock.move(1_000)
    await ask(shop, 'Satıyor musunuz ZÜRAFA MAMASINI')
    const { body } = await list(shop)
    expect(body.data).toMatchObject([
      {
        question: 'Satıyor musunuz ZÜRAFA MAMASINI',
        count: 3,
        first_asked_at: '2026-11-20T00:00:00.000Z',
        last_asked_at: '2026-11-20T00:00:01.000Z',
      },
      { question: 'Akvaryum tamir ediyor musunuz?', count: 1 },
    ])
  })

  test('is counted beside one of the same message that has an answer, which stays answered', async () => {
    const other = await addWorkspace(product)
    await addDocument(product, other, {
      title: 'Kargo',
      content: '# Kargo\n\nSiparişler iki iş günü içinde kargoya verilir.',
    })
    await ask(other, 'Siparişler ne zaman kargoya verilir? Zürafa maması satıyor musunuz?')
    const { body } = await list(other)
    expect(body.data).toMatchObject([{ question: 'Zürafa maması satıyor musunuz?', count: 1 }])
    const day = '2026-11-20'
    const summary = await product.call(`/api/v1/analytics/summary?from=${day}&to=${day}`, {
      token: other.token,
    })
    expect(summary.body).toMatchObject({ series: [{ answered: 1, unanswered: 0 }] })
  })

  test('is counted each time, also when many visitors ask it at once', async () => {
    const other = await addWorkspace(product, { credits: 10_000 })
    const visitors = Array.from({ length: 8 }, async () => {
      const token = await addVisitor(product, other)
      return Array.from({ length: 5 }, () => token)
    })
    const tokens = (await Promise.all(visitors)).flat()
    const answers = await Promise.all(
      tokens.map((token, at) =>
        product.call('/api/v1/chatbot/message', {
          token,
          body: {
            tenant_id: other.tenantId,
            message:
              at % 2 === 0 ? 'Zürafa maması satıyor musunuz?' : 'zurafa maması satıyor musun',
          },
        }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(tokens.map(() => 200))
    expect((await list(other)).body.data).toMatchObject([{ count: 40 }])
  })

  test('is paged by how often it is asked', async () => {
    const first = await list(shop, '?limit=1')
    const second = await list(shop, `?limit=1&cursor=${first.body.next_cursor}`)
    expect([first, second].map(({ body }) => body.data[0]?.count)).toEqual([3, 1])
    expect(second.body.next_cursor).toBeNull()
  })

  test('keeps no e-mail address and no phone number', async () => {
    const other = await addWorkspace(product)
    await ask(
      other,
      'Beni 0532 123 45 67 veya +90 (532) 123-45-67 numarasından arar mısınız?',
      'Teklifi ayse.yilmaz+x@example.com.tr adresine atın',
      'TR33 0006 1005 1978 6457 8413 26 hesabına mı ödenir?',
    )
    const { text } = await list(other)
    expect(withoutRandomParts(text)).not.toMatch(/532|4567|ayse|example\.com|6457/)
    expect(text).toContain('hesabına mı ödenir')
  })

  test('is taken off the list, and comes back when it is asked again', async () => {
    const other = await addWorkspace(product)
    await ask(other, 'Yelkenli kiralıyor musunuz?')
    const [question] = (await list(other)).body.data
    const path = `/api/v1/tenants/${other.tenantId}/unanswered/${question?.question_id}`
    const remove = (token: string) => product.call(path, { method: 'DELETE', token })
    expect((await remove(shop.token)).status).toBe(403)
    expect((await remove(other.token)).status).toBe(204)
    expect((await remove(other.token)).status).toBe(404)
    expect((await list(other)).body.data).toEqual([])
    await ask(other, 'Yelkenli kiralıyor musunuz?')
    expect((await list(other)).body.data).toMatchObject([{ count: 1 }])
  })

  test('is forgotten after 90 days without being asked', async () => {
    const other = await addWorkspace(product)
    await ask(other, 'Balon uçuşu var mı?')
    clock.move(91 * DAY_MS)
    await expireUnanswered(product.ctx)
    const again = await product.call<TokenAnswer>('/api/v1/auth/token', {
      body: { email: other.email, password: 'a long password' },
    })
    expect((await list({ ...other, token: again.body.access_token })).body.data).toEqual([])
  })
})
