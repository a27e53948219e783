import { beforeAll, expect, test } from 'vitest'
import type { Turn } from '../../../server/chat/schema.ts'
import type { Page, Problem } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addDocument, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

describeOnDatabase('what a site knows', (database) => {
  let workspace: TestWorkspace
  let other: TestWorkspace
  let visitor: string
  let base: string

  const product = useProduct(database)
  beforeAll(async () => {
    workspace = await addWorkspace(product)
    other = await addWorkspace(product)
    visitor = await addVisitor(product, workspace)
    base = `/api/v1/tenants/${workspace.tenantId}`
  })

  const add = (fields: object) =>
    product.call<Problem>(`${base}/knowledge`, {
      token: workspace.token,
      body: { kind: 'markdown', title: 'T', ...fields },
    })
  const ask = (message: string, session_id?: string) =>
    product.call<Turn>('/api/v1/chatbot/message', {
      token: visitor,
      body: { tenant_id: workspace.tenantId, message, ...(session_id ? { session_id } : {}) },
    })
  const price = async () => (await ask('How much is the espresso grinder?')).body.reply?.content

  test('is what its documents say at this moment', async () => {
    const say = (amount: number) => `# Prices\n\nThe espresso grinder costs ${amount} lira.`
    const id = await addDocument(product, workspace, { title: 'Prices', content: say(450) })
    expect(await price()).toContain('450')
    const path = `${base}/knowledge/${id}`
    const change = { token: workspace.token, method: 'PATCH', body: { content: say(620) } }
    expect((await product.call(path, change)).status).toBe(200)
    const changed = await price()
    expect(changed).toContain('620')
    expect(changed).not.toContain('450')
    const found = await product.call<Page<object>>(`${base}/search?q=espresso+grinder`, {
      token: workspace.token,
    })
    expect(found.body.data[0]).toMatchObject({
      doc_id: id,
      title: 'Prices',
      url: null,
      text: expect.stringContaining('620 lira'),
      score: expect.any(Number),
    })
    expect((await product.call(path, { token: workspace.token, method: 'DELETE' })).status).toBe(
      204,
    )
    expect(await price()).not.toContain('620')
    expect((await product.call(path, { token: workspace.token })).status).toBe(404)
  })

  test('is not changed by a document that is not what it says', async () => {
    const files = {
      'a PDF': '%PDF-1.7\n%âãÏÓ\n1 0 obj\n<</Type/Catalog>>\nendobj',
      'a picture':
        Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]).toString('latin1') + 'IHDR',
      'a picture, misread': `\ufffdPNG\r\n\u001a\n`,
      'a ZIP file': 'PK\u0003\u0004\u0014',
      'a page': '<!doctype html><html><body>Hi</body></html>',
      nothing: '   ',
    }
    for (const [name, content] of Object.entries(files)) {
      const { status, body } = await add({ content })
      expect([name, status, body.code]).toEqual([name, 422, 'validation_failed'])
      expect([name, body.errors?.[0]?.path]).toEqual([name, '/content'])
    }
    const list = await product.call<Page<object>>(`${base}/knowledge`, {
      token: workspace.token,
    })
    expect(list.body.data).toEqual([])
  })

  test('is not changed by a document that is too large or incomplete', async () => {
    const large = await add({ content: 'a '.repeat(150_000) })
    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large'])
    const fields = [
      {},
      { content: 5 },
      { content: 'x', kind: 'pdf' },
      { content: 'x', title: '' },
      { content: 'x', url: 'javascript:alert(1)' },
      { content: 'x', more: 1 },
    ]
    for (const one of fields) expect([one, (await add(one)).status]).toEqual([one, 422])
    const huge = 'x'.repeat(5 * 1_024 * 1_024)
    expect((await add({ content: huge })).status).toBe(413)
    expect((await product.call('/health/ready')).status).toBe(200)
  })

  test('belongs to it: documents of others are refused, also through its own address', async () => {
    const foreign = await addDocument(product, other, {
      title: 'Theirs',
      content: 'Their secret.',
    })
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const answer = await product.call<Problem>(`${base}/knowledge/${foreign}`, {
        token: workspace.token,
        method,
        ...(method === 'PATCH' ? { body: { title: 'Mine' } } : {}),
      })
      expect([method, answer.status, answer.body.code]).toEqual([method, 403, 'forbidden'])
    }
    const there = `/api/v1/tenants/${other.tenantId}/knowledge/${foreign}`
    expect((await product.call(there, { token: other.token })).status).toBe(200)
  })

  test('is listed page by page', async () => {
    for (let count = 1; count <= 3; count += 1)
      await add({ title: `Page ${count}`, content: `Text ${count}.` })
    const first = await product.call<Page<object>>(`${base}/knowledge?limit=2`, {
      token: workspace.token,
    })
    const second = await product.call<Page<object>>(
      `${base}/knowledge?limit=2&cursor=${first.body.next_cursor}`,
      { token: workspace.token },
    )
    expect([first.body.data.length, second.body.data.length, second.body.next_cursor]).toEqual([
      2,
      1,
      null,
    ])
    expect(first.body.data).not.toContainEqual(second.body.data[0])
    expect(first.text).not.toContain('content')
  })

  test('and what was said about it is read in pages, oldest first, without a gap', async () => {
    const { session_id } = (await ask('Question 1?')).body
    for (let count = 2; count <= 4; count += 1) await ask(`Question ${count}?`, session_id)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: {
        body: { data: { role: string; content: string }[]; next_cursor: string | null }
      } = await product.call(
        `/api/v1/chatbot/sessions/${session_id}/messages?limit=3${cursor && `&cursor=${cursor}`}`,
        { token: visitor },
      )
      seen.push(...page.body.data.map(({ role, content }) => (role === 'visitor' ? content : role)))
      cursor = page.body.next_cursor
    }
    expect(seen).toEqual([1, 2, 3, 4].flatMap((count) => [`Question ${count}?`, 'assistant']))
    const forged = await product.call<Problem>(
      `/api/v1/chatbot/sessions/${session_id}/messages?cursor=zzz`,
      { token: visitor },
    )
    expect(forged.status).toBe(422)
  })
})
