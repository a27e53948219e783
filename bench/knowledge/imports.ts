import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Document } from '../../server/knowledge/schema.ts'
import {
  addWorkspace,
  startTestProduct,
  type TestProduct,
  type TestWorkspace,
} from '../../test/helpers/product.ts'
import { sitemapOf, startSite } from '../../test/helpers/servers/site.ts'
import { readDocuments } from '../../test/quality/documents.ts'
import { type Figure, stored } from '../report/figure.ts'
import { asSitePage, asWordFile } from '../../test/quality/rendered.ts'

const POLL_MS = 20
const QUESTION = "Kendi Hook'umu nasıl yazarım?"
const DOCUMENTS = [...readDocuments('react-tr'), ...readDocuments('fastify-en')]

/** Measures the time from uploads over HTTP until search finds every document, on SQLite. */
export async function benchKnowledge(): Promise<Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sohbet-bench-knowledge-'))
  const product = await startTestProduct(
    { dataDir, databaseUrl: undefined },
    { settings: { ALLOWED_TARGET_CIDRS: '127.0.0.0/8' } },
  )
  const rows: string[] = []
  const reported: Figure[] = []
  try {
    for (const [name, send] of [
      ['pasted, one after the other', pasteAll],
      ['Word files, read in the background', sendWordFiles],
      ['pages of a sitemap', crawlSite],
    ] as const) {
      const workspace = await addWorkspace(product)
      const started = performance.now()
      await send(product, workspace)
      const sent = performance.now() - started
      await search(product, workspace)
      const found = performance.now() - started
      const passages = await countPassages(product, workspace)
      reported.push({
        id: send.name,
        label: `${DOCUMENTS.length} documents, ${name}: until search finds them`,
        value: stored(found),
        unit: 'ms',
        better: 'lower',
      })
      const figures = [`${sent.toFixed(0)} ms`, `${found.toFixed(0)} ms`, String(passages)]
      rows.push(`${name.padEnd(36)}${figures.map((figure) => figure.padStart(12)).join('')}`)
    }
  } finally {
    await product.stop()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
  }
  const head = ['ready', 'searched', 'passages'].map((name) => name.padStart(12)).join('')
  process.stdout.write(`${`${DOCUMENTS.length} documents`.padEnd(36)}${head}\n`)
  process.stdout.write(`${rows.join('\n')}\n`)
  return reported
}

const base = ({ tenantId }: TestWorkspace) => `/api/v1/tenants/${tenantId}/knowledge`

async function pasteAll(product: TestProduct, workspace: TestWorkspace): Promise<void> {
  for (const { title, content } of DOCUMENTS) {
    const body = { kind: 'markdown', title, content }
    const added = await product.call(base(workspace), { token: workspace.token, body })
    if (added.status !== 201) throw new Error(added.text)
  }
}

async function sendWordFiles(product: TestProduct, workspace: TestWorkspace): Promise<void> {
  for (const { title, content } of DOCUMENTS) {
    const form = new FormData()
    form.append('file', new Blob([Uint8Array.from(asWordFile(content))]), `${title}.docx`)
    const added = await fetch(product.url + base(workspace), {
      method: 'POST',
      headers: { authorization: `Bearer ${workspace.token}` },
      body: form,
    })
    if (added.status !== 201) throw new Error(await added.text())
  }
  await untilRead(product, workspace)
}

async function crawlSite(product: TestProduct, workspace: TestWorkspace): Promise<void> {
  const site = await startSite()
  const urls = DOCUMENTS.map((_, at) => `${site.url}/${at}`)
  for (const [at, { title, content }] of DOCUMENTS.entries()) {
    site.pages.set(`/${at}`, { body: asSitePage(title, content) })
  }
  site.pages.set('/sitemap.xml', sitemapOf(urls))
  const body = { kind: 'sitemap', url: `${site.url}/sitemap.xml` }
  await product.call(base(workspace), { token: workspace.token, body })
  await untilRead(product, workspace)
  await site.close()
}

async function untilRead(product: TestProduct, workspace: TestWorkspace): Promise<void> {
  for (;;) {
    const documents = await list(product, workspace)
    if (documents.every(({ state }) => state === 'ready')) return
    const failed = documents.find(({ state }) => state === 'failed')
    if (failed) throw new Error(`${failed.title}: ${failed.error}`)
    await new Promise((done) => setTimeout(done, POLL_MS))
  }
}

async function list(product: TestProduct, workspace: TestWorkspace): Promise<Document[]> {
  const { body } = await product.call<{ data: Document[] }>(`${base(workspace)}?limit=100`, {
    token: workspace.token,
  })
  return body.data
}

async function countPassages(product: TestProduct, workspace: TestWorkspace): Promise<number> {
  const documents = await list(product, workspace)
  return documents.reduce((sum, { passages }) => sum + passages, 0)
}

async function search(product: TestProduct, { tenantId, token }: TestWorkspace): Promise<void> {
  const path = `/api/v1/tenants/${tenantId}/search?q=${encodeURIComponent(QUESTION)}`
  const { body } = await product.call<{ data: unknown[] }>(path, { token })
  if (body.data.length === 0) throw new Error('Nothing was found.')
}
