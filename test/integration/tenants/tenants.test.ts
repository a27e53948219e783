import { beforeAll, expect, test } from 'vitest'
import type { Problem } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addDocument, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

interface Found {
  data: { title: string; text: string }[]
}

const TENANTS = '/api/v1/tenants'

describeOnDatabase('the sites of a workspace', (database) => {
  let workspace: TestWorkspace
  let other: TestWorkspace

  const product = useProduct(database)
  beforeAll(async () => {
    workspace = await addWorkspace(product)
    other = await addWorkspace(product)
  })

  const open = (of: TestWorkspace, fields: object) =>
    product.call<Problem & { chatbot_id: string }>(TENANTS, {
      token: of.token,
      body: { name: 'Site', ...fields },
    })

  test('are opened with what is usual, changed field by field, and removed', async () => {
    const { status, body } = await open(workspace, { tenant_id: 'crud-site' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      tenant_id: 'crud-site',
      chatbot_id: expect.stringMatching(/^bot_[0-9A-Za-z]{22,}$/),
      locale: 'tr',
      handoff: 'offer',
      allowed_origins: [],
      active: true,
      // A tenth of the plan's month.
      daily_credit_cap: 2_000,
    })
    expect(JSON.stringify(body)).not.toMatch(/secret|workspace/)
    const path = `${TENANTS}/crud-site`
    const change = {
      name: 'İyi Kahve',
      theme: { color: '#0f766e' },
      daily_credit_cap: 12.5,
      allowed_origins: ['https://kahve.example'],
    }
    const changed = await product.call(path, {
      method: 'PATCH',
      token: workspace.token,
      body: change,
    })
    expect(changed.status).toBe(200)
    const read = await product.call(path, { token: workspace.token })
    expect(read.body).toMatchObject({ ...change, locale: 'tr', handoff: 'offer' })
    expect((await product.call(path, { method: 'DELETE', token: workspace.token })).status).toBe(
      204,
    )
    expect((await product.call(path, { token: workspace.token })).status).toBe(404)
    expect((await product.call(path, { method: 'DELETE', token: workspace.token })).status).toBe(
      404,
    )
  })

  test('open in a workspace of many credits, whose default cap is above what one may set', async () => {
    const rich = await addWorkspace(product, { credits: 1_000_000_000 })
    const { status } = await open(rich, { tenant_id: 'rich-site' })
    expect(status).toBe(201)
  })

  test('have names that nobody else has', async () => {
    for (const owner of [workspace, other]) {
      const taken = await open(owner, { tenant_id: workspace.tenantId })
      expect([taken.status, taken.body.code]).toEqual([409, 'conflict'])
    }
    const race = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        open(index % 2 ? workspace : other, { tenant_id: 'race-site' }),
      ),
    )
    const statuses = race.map(({ status }) => status).toSorted((one, two) => one - two)
    expect(statuses).toEqual([201, ...Array<number>(15).fill(409)])
    for (const slug of ['ab', 'Upper', 'ünlü', 'a'.repeat(41), 'a b', '']) {
      expect([slug, (await open(workspace, { tenant_id: slug })).status]).toEqual([slug, 422])
    }
  })

  test('are nobody else’s business: 403 for what is another workspace’s, 404 for what is not there', async () => {
    for (const [id, status, code] of [
      [workspace.tenantId, 403, 'forbidden'],
      ['nobody-has-this', 404, 'not_found'],
    ] as const) {
      const path = `${TENANTS}/${id}`
      const calls = [
        { path, method: 'GET' },
        { path, method: 'PATCH', body: { name: 'Mine' } },
        { path, method: 'DELETE' },
        { path: `${path}/knowledge`, method: 'GET' },
        {
          path: `${path}/knowledge`,
          method: 'POST',
          body: { kind: 'text', title: 'T', content: 'C' },
        },
        { path: `${path}/search?q=x`, method: 'GET' },
      ]
      for (const { path: called, ...options } of calls) {
        const answer = await product.call<Problem>(called, { token: other.token, ...options })
        expect([options.method, called, answer.status, answer.body.code]).toEqual([
          options.method,
          called,
          status,
          code,
        ])
      }
    }
    const mine = await product.call<{ name: string }>(`${TENANTS}/${workspace.tenantId}`, {
      token: workspace.token,
    })
    expect(mine.body.name).toBe('Site')
  })

  test('are listed page by page, new ones first, each once', async () => {
    for (let count = 1; count <= 5; count += 1) await open(other, { tenant_id: `paged-${count}` })
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: {
        status: number
        body: { data: { tenant_id: string }[]; next_cursor: string | null }
      } = await product.call(`${TENANTS}?limit=2${cursor && `&cursor=${cursor}`}`, {
        token: other.token,
      })
      expect(page.body.data.length).toBeLessThanOrEqual(2)
      seen.push(...page.body.data.map(({ tenant_id }) => tenant_id))
      cursor = page.body.next_cursor
    }
    expect(new Set(seen).size).toBe(seen.length)
    for (let count = 1; count <= 5; count += 1) expect(seen).toContain(`paged-${count}`)
    expect(seen).not.toContain(workspace.tenantId)
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=x',
      'limit=1.5',
      'cursor=forged',
      'cursor=',
      `cursor=${Buffer.from("1:' or 1=1").toString('base64url')}`,
    ]) {
      const answer = await product.call<Problem>(`${TENANTS}?${query}`, { token: other.token })
      expect([query, answer.status, answer.body.code]).toEqual([query, 422, 'validation_failed'])
    }
  })

  test('show a logo that was uploaded, and forget those that none of them shows', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const upload = async (bytes: Buffer): Promise<{ status: number; logo_url: string }> => {
      const form = new FormData()
      form.set('file', new Blob([new Uint8Array(bytes)]), 'logo.png')
      const answer = await fetch(`${product.url}/api/v1/logos`, {
        method: 'POST',
        headers: { authorization: `Bearer ${workspace.token}` },
        body: form,
      })
      return { logo_url: '', ...(await answer.json()), status: answer.status }
    }
    const load = (path: string) => fetch(`${product.url}${path}`)
    expect((await upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).status).toBe(
      415,
    )
    expect((await upload(Buffer.alloc(256_001))).status).toBe(413)
    const { status, logo_url } = await upload(png)
    expect(status).toBe(201)
    await open(workspace, { tenant_id: 'logo-site' })
    const put = (url: string) =>
      product.call(`${TENANTS}/logo-site`, {
        method: 'PATCH',
        token: workspace.token,
        body: { theme: { logo_url: url } },
      })
    expect((await put('/api/v1/account')).status).toBe(422)
    expect((await put('http://plain.example/logo.png')).status).toBe(422)
    expect((await put(logo_url)).status).toBe(200)
    const config = await product.call('/api/v1/widget/logo-site/config')
    expect(config.body).toMatchObject({ theme: { logo_url } })
    const tries: string[] = []
    for (let count = 0; count < 11; count += 1) tries.push((await upload(png)).logo_url)
    const shown = await load(logo_url)
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(png)
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    })
    const [first = '', second = ''] = tries
    expect([(await load(first)).status, (await load(second)).status]).toEqual([404, 200])
  })

  test('that have the name of a removed site know nothing of it', async () => {
    const first = { ...workspace, tenantId: 'passed-on' }
    await open(workspace, { tenant_id: 'passed-on' })
    for (const title of ['Prices', 'Hours', 'Secrets']) {
      await addDocument(product, first, {
        title,
        content: `# ${title}\n\nThe vault code of the first owner is 4711.`,
      })
    }
    const visitor = await addVisitor(product, first)
    const ask = (token: string) =>
      product.call('/api/v1/chatbot/message', {
        token,
        body: { tenant_id: 'passed-on', message: 'What is the vault code of the owner?' },
      })
    expect((await ask(visitor)).text).toContain('4711')
    await product.call(`${TENANTS}/passed-on`, { method: 'DELETE', token: workspace.token })
    expect((await open(workspace, { tenant_id: 'passed-on' })).status).toBe(201)
    const found = await product.call<Found>(`${TENANTS}/passed-on/search?q=vault+code`, {
      token: workspace.token,
    })
    expect(found.text).not.toContain('4711')
    expect((await ask(await addVisitor(product, first))).text).not.toContain('4711')
    expect((await ask(visitor)).text).not.toContain('4711')
  })
})
