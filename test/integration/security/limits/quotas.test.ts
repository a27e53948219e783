import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Document } from '../../../../server/knowledge/schema.ts'
import type { Quota } from '../../../../server/quotas/schema.ts'
import type { Page, Problem } from '../../../helpers/answers.ts'
import { describeOnBothDatabases } from '../../../helpers/databases.ts'
import { readDocument, upload } from '../../../helpers/knowledge.ts'
import {
  OPERATOR_TOKEN,
  type TestWorkspace,
  addDocument,
  addWorkspace,
} from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'

describeOnBothDatabases('the quotas of a plan', (database) => {
  const product = useProduct(database, {
    settings: {
      LOG_LEVEL: 'silent',
      QUOTA_SITES: '2,4,8',
      QUOTA_MEMBERS: '2,4,8',
      QUOTA_STORED_BYTES: '1000,400000,800000',
      QUOTA_PASSAGES: '2,40,80',
    },
  })

  const quotasOf = async ({ token }: TestWorkspace) => {
    const { body } = await product.call<{ quotas: Quota[] }>('/api/v1/workspace', { token })
    return Object.fromEntries(body.quotas.map(({ name, used, allowed }) => [name, [used, allowed]]))
  }
  const addSite = ({ token }: TestWorkspace, id: string) =>
    product.call<Problem>('/api/v1/tenants', { token, body: { tenant_id: id, name: 'Site' } })
  const invite = ({ token }: TestWorkspace, email: string) =>
    product.call<Problem>('/api/v1/members', { token, body: { email, role: 'operator' } })
  const paste = ({ token, tenantId }: TestWorkspace, content: string) =>
    product.call<Document & Problem>(`/api/v1/tenants/${tenantId}/knowledge`, {
      token,
      body: { kind: 'text', title: 'Text', content },
    })
  const starter = () => addWorkspace(product, { plan: 'starter' })
  const unique = () => `site-${Math.random().toString(36).slice(2)}`

  test('are shown with what is used, and grow with the plan', async () => {
    const workspace = await starter()
    await addDocument(product, workspace, { title: 'Kargo', content: 'Kargo iki günde gelir.' })
    expect(await quotasOf(workspace)).toEqual({
      sites: [1, 2],
      stored_bytes: [23, 1_000],
      passages: [1, 2],
      members: [1, 2],
    })
    await product.call(`/api/v1/operator/workspaces/${workspace.id}`, {
      token: OPERATOR_TOKEN,
      method: 'PATCH',
      body: { plan: 'enterprise' },
    })
    expect((await quotasOf(workspace)).sites).toEqual([1, 8])
  })

  test('of two calls for the last site, the last seat or the last bytes, one wins', async () => {
    const workspace = await starter()
    const half = 'x'.repeat(700)
    const refusals = await Promise.all([
      Promise.all([unique(), unique(), unique()].map((id) => addSite(workspace, id))),
      Promise.all(
        [unique(), unique(), unique()].map((name) => invite(workspace, `${name}@example.com`)),
      ),
      Promise.all([half, half].map((content) => paste(workspace, content))),
    ])
    const [sites, seats, texts] = refusals.map((answers) =>
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
    )
    expect([sites, seats, texts]).toEqual([
      [201, 402, 402],
      [201, 402, 402],
      [201, 402],
    ])
    const refusedSite = refusals[0].find(({ status }) => status === 402)
    expect(refusedSite?.body).toMatchObject({
      code: 'quota_exceeded',
      quota: 'sites',
      used: 2,
      allowed: 2,
    })
    expect(await quotasOf(workspace)).toMatchObject({ sites: [2, 2], members: [2, 2] })
  })

  test('are of the workspace, over all of its sites, and free what is removed', async () => {
    const workspace = await starter()
    const second = { ...workspace, tenantId: unique() }
    await addSite(workspace, second.tenantId)
    const [first, other] = [await paste(workspace, 'One.'), await paste(second, 'Two.')]
    expect([first.status, other.status]).toEqual([201, 201])
    const refused = await paste(second, 'Three.')
    expect(refused).toMatchObject({ status: 402, body: { quota: 'passages', used: 2, allowed: 2 } })
    const grown = await product.call<Problem>(
      `/api/v1/tenants/${second.tenantId}/knowledge/${other.body.doc_id}`,
      {
        method: 'PATCH',
        token: second.token,
        body: { content: 'x'.repeat(1_100) },
      },
    )
    expect(grown).toMatchObject({ status: 402, body: { quota: 'stored_bytes', used: 8 } })
    await product.call(`/api/v1/tenants/${second.tenantId}`, {
      method: 'DELETE',
      token: workspace.token,
    })
    expect((await paste(workspace, 'Three.')).status).toBe(201)
    expect((await addSite(workspace, unique())).status).toBe(201)
  })

  test('refuse a file at once by its bytes, and in its state by its passages', async () => {
    const workspace = await addWorkspace(product)
    const paragraph = `${'kargo '.repeat(400)}\n\n`
    expect(
      await upload(product, workspace, { name: 'a.txt', bytes: paragraph.repeat(200) }),
    ).toMatchObject({
      status: 402,
      body: { code: 'quota_exceeded', quota: 'stored_bytes', used: 0, allowed: 400_000 },
    })
    const queued = await upload(product, workspace, { name: 'b.txt', bytes: paragraph.repeat(130) })
    expect(queued).toMatchObject({ status: 201, body: { state: 'queued' } })
    const document = await readDocument(product, workspace, queued.body.doc_id)
    expect(document).toMatchObject({ state: 'failed', passages: 0, bytes: 0 })
    expect(document.error).toContain('The plan allows 40 passages of knowledge, and 0 are used.')
    expect(await quotasOf(workspace)).toMatchObject({ stored_bytes: [0, 400_000] })
  })

  test('count files from their arrival on, by what lies on the disk, however many come at once', async () => {
    const workspace = await addWorkspace(product)
    const bytes = `Kargo iki günde gelir.${' '.repeat(120_000)}`
    const padded = bytes + ' '.repeat(180_000)
    const statuses = await Promise.all(
      [padded, bytes, padded, bytes, padded].map(
        async (content, at) =>
          (await upload(product, workspace, { name: `${at}.txt`, bytes: content })).status,
      ),
    )
    const accepted = [padded, bytes, padded, bytes, padded].filter((_, at) => statuses[at] === 201)
    const used = accepted.reduce((sum, content) => sum + Buffer.byteLength(content), 0)
    expect(used).toBeLessThanOrEqual(400_000)
    expect(statuses.toSorted((a, b) => a - b).slice(-2)).toEqual([402, 402])
    expect((await quotasOf(workspace)).stored_bytes).toEqual([used, 400_000])
    const { rows } = await sql<{ stored: number }>`
      select coalesce(sum(length(content)), 0) as stored from knowledge_files
      where workspace_id = ${workspace.id}`.execute(product.ctx.db)
    expect(Number(rows[0]?.stored)).toBeLessThanOrEqual(used)
  })

  test('count an invitation until it expires, and let its owner in', async () => {
    const workspace = await starter()
    const email = `${unique()}@example.com`
    expect((await invite(workspace, email)).status).toBe(201)
    expect((await invite(workspace, email)).status).toBe(201)
    expect(await invite(workspace, `${unique()}@example.com`)).toMatchObject({
      status: 402,
      body: { quota: 'members', used: 2, allowed: 2 },
    })
    const { body } = await product.call<Page<{ id: string; state: string }>>('/api/v1/members', {
      token: workspace.token,
    })
    const invited = body.data.find(({ state }) => state === 'invited')
    await product.call(`/api/v1/members/${invited?.id}`, {
      method: 'DELETE',
      token: workspace.token,
    })
    expect((await invite(workspace, `${unique()}@example.com`)).status).toBe(201)
  })
})
