import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Document } from '../../../server/knowledge/schema.ts'
import { MAX_DOCUMENTS } from '../../../server/knowledge/documents/limits.ts'
import { HOUR_MS } from '../../../server/lib/durations.ts'
import type { TokenAnswer } from '../../../server/platform/schema.ts'
import type { Page, Problem } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { type DatabasePlace, describeOnBothDatabases } from '../../helpers/databases.ts'
import { readDocument, searchFor, showDocument, upload } from '../../helpers/knowledge.ts'
import { startTestProcess } from '../../helpers/process.ts'
import {
  type TestProduct,
  type TestWorkspace,
  callOver,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'
import { htmlPage, type Site, sitemapOf, startSite } from '../../helpers/servers/site.ts'

const LOOPBACK = { ALLOWED_TARGET_CIDRS: '127.0.0.0/8' }
const PDF = Uint8Array.from(readFileSync(join(import.meta.dirname, '../../data/files/kargo.pdf')))

async function signIn(product: TestProduct, workspace: TestWorkspace): Promise<TestWorkspace> {
  const { body } = await product.call<TokenAnswer>('/api/v1/auth/token', {
    body: { email: workspace.email, password: 'a long password' },
  })
  return { ...workspace, token: body.access_token }
}

describeOnBothDatabases('knowledge from the web', (database) => {
  let place: DatabasePlace
  let site: Site
  let workspace: TestWorkspace

  beforeAll(async () => {
    place = await database.create()
    site = await startSite()
    const first = await startTestProduct(place, { settings: LOOPBACK })
    workspace = await addWorkspace(first)
    await first.stop()
  })
  afterAll(() => site.close())

  test('is read again every day, without anyone asking', async () => {
    const clock = new TestClock(Date.now())
    const product = await startTestProduct(place, { settings: LOOPBACK, clock })
    const path = `/api/v1/tenants/${workspace.tenantId}/knowledge`
    site.pages.set('/gun', htmlPage('Gün', 'Günün çorbası mercimek.'))
    const { body } = await product.call<Document>(path, {
      token: workspace.token,
      body: { kind: 'url', url: `${site.url}/gun` },
    })
    const read = await readDocument(product, workspace, body.doc_id)
    expect(read.next_sync_at).toBe(new Date(clock.now() + 24 * HOUR_MS).toISOString())
    site.pages.set('/gun', htmlPage('Gün', 'Günün çorbası tarhana.'))
    clock.move(25 * HOUR_MS)
    const later = await signIn(product, workspace)
    await expect
      .poll(async () => (await searchFor(product, later, 'günün çorbası'))[0]?.text)
      .toContain('tarhana')
    const again = await showDocument(product, later, body.doc_id)
    expect(again.synced_at).toBe(new Date(clock.now()).toISOString())
    await product.stop()
  })

  describe('after kill -9', () => {
    /** Another process's leases have run out by then. */
    const later = () => new TestClock(Date.now() + 120_000)

    test('a file that was accepted is read by the next process', async () => {
      const killed = await startTestProcess(place, LOOPBACK)
      const product = { url: killed.url } as const
      const form = new FormData()
      form.append('file', new Blob([PDF]), 'kargo.pdf')
      const sent = await fetch(`${product.url}/api/v1/tenants/${workspace.tenantId}/knowledge`, {
        method: 'POST',
        headers: { authorization: `Bearer ${workspace.token}` },
        body: form,
      })
      await killed.end('SIGKILL')
      expect(sent.status).toBe(201)
      const next = await startTestProduct(place, { settings: LOOPBACK, clock: later() })
      const { data } = (
        await next.call<Page<Document>>(`/api/v1/tenants/${workspace.tenantId}/knowledge`, {
          token: workspace.token,
        })
      ).body
      const document = data.find(({ kind }) => kind === 'pdf')
      expect(document).toBeDefined()
      expect(await readDocument(next, workspace, document?.doc_id ?? '')).toMatchObject({
        state: 'ready',
        passages: 4,
      })
      await next.stop()
    })

    test('a crawl goes on where it was, and no page is read twice or lost', async () => {
      const urls = Array.from({ length: 60 }, (_, at) => `${site.url}/k${at}`)
      for (const url of urls) {
        site.pages.set(new URL(url).pathname, htmlPage('K', `Sayfa ${url}`))
      }
      site.pages.set('/k40', () => {
        // Silence: the crawl stands here until it is killed.
      })
      site.pages.set('/k41', () => undefined)
      site.pages.set('/harita.xml', sitemapOf(urls))
      const killed = await startTestProcess(place, LOOPBACK)
      const path = `/api/v1/tenants/${workspace.tenantId}/knowledge`
      const { token } = workspace
      const added = await callOver<Document>(killed.url, path, {
        token,
        body: { kind: 'sitemap', url: `${site.url}/harita.xml` },
      })
      await expect
        .poll(() => site.asked.filter(({ path: asked }) => asked === '/k41').length)
        .toBe(1)
      await killed.end('SIGKILL')
      const written = site.asked.filter(({ path: asked }) => /^\/k\d+$/.test(asked)).length
      for (const name of ['/k40', '/k41']) site.pages.set(name, htmlPage('K', `Sayfa ${name}`))
      const next = await startTestProduct(place, { settings: LOOPBACK, clock: later() })
      const done = await readDocument(next, workspace, added.body.doc_id)
      expect(done).toMatchObject({ state: 'ready', pages: { total: 60, ready: 60, failed: 0 } })
      // 40 were written in two commits before; the others are asked for by the next process.
      const asked = site.asked.filter(({ path: one }) => /^\/k\d+$/.test(one)).length
      expect(asked).toBe(written + 20)
      await next.stop()
    })
  })

  test('goes with its tenant, even while it is sent and read', async () => {
    const product = await startTestProduct(place, { settings: LOOPBACK })
    for (let round = 0; round < 4; round += 1) {
      const leaving = await addWorkspace(product)
      const files = Array.from({ length: 6 }, () =>
        upload(product, leaving, { name: 'kargo.pdf', bytes: PDF }),
      )
      await Promise.race(files)
      const removed = await product.call(`/api/v1/tenants/${leaving.tenantId}`, {
        method: 'DELETE',
        token: leaving.token,
      })
      expect(removed.status, removed.text).toBe(204)
      const statuses = (await Promise.all(files)).map(({ status }) => status)
      expect(statuses.filter((status) => status !== 201 && status !== 404)).toEqual([])
    }
    await expect
      .poll(async () =>
        (await product.ctx.db.selectFrom('knowledge_jobs').selectAll().execute()).filter(
          ({ lane }) => lane === 'file',
        ),
      )
      .toEqual([])
    await product.stop()
  })

  test('has a limit for each tenant, and says so', async () => {
    const product = await startTestProduct(place, { settings: LOOPBACK })
    const full = await addWorkspace(product)
    const path = `/api/v1/tenants/${full.tenantId}/knowledge`
    const body = { kind: 'text', title: 'Bir', content: 'Bir söz.' }
    const first = await product.call<Document>(path, { token: full.token, body })
    const row = await product.ctx.db
      .selectFrom('documents')
      .selectAll()
      .where('id', '=', first.body.doc_id)
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: MAX_DOCUMENTS - 1 }, (_, at) => ({
      ...row,
      id: `${row.id}${at}`,
    }))
    for (let at = 0; at < rows.length; at += 100) {
      await product.ctx.db
        .insertInto('documents')
        .values(rows.slice(at, at + 100))
        .execute()
    }
    const over = await product.call<Problem>(path, {
      token: full.token,
      body,
    })
    expect(over).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(over.body.detail).toContain('3000 documents')
    const file = await upload(product, full, { name: 'kargo.pdf', bytes: PDF })
    expect(file.status).toBe(409)
    await product.stop()
  })
})
