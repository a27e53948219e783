import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Turn } from '../../../../server/chat/schema.ts'
import type { Document } from '../../../../server/knowledge/schema.ts'
import { IndexCache } from '../../../../server/knowledge/index-cache.ts'
import type { Page, Problem } from '../../../helpers/answers.ts'
import { describeOnBothDatabases } from '../../../helpers/databases.ts'
import {
  type TestWorkspace,
  addDocument,
  addVisitor,
  addWorkspace,
} from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'

const MEGABYTE = 1_000_000

/** A text of words that occur once each. */
function inventedWords(count: number): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  return Array.from({ length: count }, (_, at) => {
    const digits = at.toString(26).padStart(5, '0')
    const word = [...digits].map((digit) => letters.at(Number.parseInt(digit, 26)))
    return `${word.join('')}lar`
  }).join(' ')
}

describeOnBothDatabases('a tenant of invented words', (database) => {
  const product = useProduct(database, { settings: { LOG_LEVEL: 'silent' } })
  let hostile: TestWorkspace
  let other: TestWorkspace
  let original: IndexCache
  beforeAll(async () => {
    original = product.ctx.indexes
    const limits = { tenantBytes: 4 * MEGABYTE, totalBytes: 8 * MEGABYTE }
    Object.assign(product.ctx, { indexes: new IndexCache(limits) })
    hostile = await addWorkspace(product)
    other = await addWorkspace(product)
    const content = inventedWords(12_000)
    await addDocument(product, hostile, { title: 'Words', content })
    await addDocument(product, other, { title: 'Kargo', content: 'Kargo iki günde gelir.' })
  })
  afterAll(() => void Object.assign(product.ctx, { indexes: original }))

  const searchIn = <Body>(workspace: TestWorkspace, q: string) =>
    product.call<Body>(`/api/v1/tenants/${workspace.tenantId}/search?q=${q}`, {
      token: workspace.token,
    })

  test('is refused a search before its index fills the heap, and is told so', async () => {
    const refused = await searchIn<Problem>(hostile, 'kargo')
    expect(refused).toMatchObject({ status: 503, body: { code: 'overloaded' } })
    expect(refused.headers.get('retry-after')).toBe('60')
    const { body } = await product.call<Page<Document>>(
      `/api/v1/tenants/${hostile.tenantId}/knowledge`,
      { token: hostile.token },
    )
    expect(body.data[0]?.error).toContain('too large to be searched')
  })

  test('does not keep others from their search', async () => {
    const [refused, found] = await Promise.all([
      searchIn<Problem>(hostile, 'kargo'),
      searchIn<{ data: { text: string }[] }>(other, 'kargo'),
    ])
    expect(refused.status).toBe(503)
    expect(found.body.data[0]?.text).toContain('iki günde')
  })

  test.each([
    ['tr', 'Kargo ne kadar?', 'elimde bilgi yok'],
    ['en', 'How much is the shipping?', 'don’t have any information'],
  ])('still answers visitors, without its knowledge: %s', async (locale, message, beginning) => {
    const token = await addVisitor(product, hostile)
    const body = { tenant_id: hostile.tenantId, message, locale }
    const { status, body: turn } = await product.call<Turn>('/api/v1/chatbot/message', {
      token,
      body,
    })
    expect(status).toBe(200)
    expect(turn.reply).toMatchObject({ form: 'lead', citations: [] })
    expect(turn.reply?.content).toContain(beginning)
    expect(turn.reply?.confidence).toBeLessThan(0.2)
    const next = await product.call<Turn>('/api/v1/chatbot/message', {
      token,
      body: { ...body, session_id: turn.session_id },
    })
    // After the second one a person is offered.
    expect(next.body.reply?.quick_replies).toHaveLength(1)
    const { body: documents } = await product.call<Page<Document>>(
      `/api/v1/tenants/${hostile.tenantId}/knowledge`,
      { token: hostile.token },
    )
    expect(documents.data[0]?.error).toContain('too large to be searched')
  })

  test('loses the note in its documents with the next change', async () => {
    await addDocument(product, hostile, { title: 'Kargo', content: 'Kargo iki günde gelir.' })
    const { body } = await product.call<Page<Document>>(
      `/api/v1/tenants/${hostile.tenantId}/knowledge`,
      { token: hostile.token },
    )
    expect(body.data.map(({ error }) => error)).toEqual([null, null])
  })
})
