import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Document } from '../../../server/knowledge/schema.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { readDocument, searchFor } from '../../helpers/knowledge.ts'
import { type Answer, type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { htmlPage, type Site, sitemapOf, startSite } from '../../helpers/servers/site.ts'
import { useProduct } from '../../helpers/use-product.ts'

describeOnDatabase('a sitemap', (database) => {
  let shop: TestWorkspace
  const sites: Site[] = []

  afterAll(async () => {
    for (const site of sites) await site.close()
  })
  const product = useProduct(database, {
    settings: { ALLOWED_TARGET_CIDRS: '127.0.0.0/8' },
  })
  beforeAll(async () => {
    shop = await addWorkspace(product)
  })

  const base = () => `/api/v1/tenants/${shop.tenantId}/knowledge`

  async function openSite(): Promise<Site> {
    const site = await startSite()
    sites.push(site)
    return site
  }

  async function add(url: string): Promise<Document> {
    const added = await product.call<Document>(base(), {
      token: shop.token,
      body: { kind: 'sitemap', url },
    })
    expect(added.status, added.text).toBe(201)
    return readDocument(product, shop, added.body.doc_id)
  }

  async function sync(id: string): Promise<Document> {
    await product.call(`${base()}/${id}/sync`, { method: 'POST', token: shop.token })
    return readDocument(product, shop, id)
  }

  async function list(query: string): Promise<Document[]> {
    const found: Document[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body }: Answer<{ data: Document[]; next_cursor: string | null }> = await product.call(
        `${base()}?limit=100&${query}${cursor && `&cursor=${cursor}`}`,
        { token: shop.token },
      )
      found.push(...body.data)
      cursor = body.next_cursor
    }
    return found
  }

  const pagesOf = ({ doc_id: id }: Document) => list(`parent_id=${id}`)

  test('is read page by page, each with a state and an error of its own', async () => {
    const site = await openSite()
    site.pages.set(
      '/sitemap.xml',
      sitemapOf([
        `${site.url}/kargo`,
        `${site.url}/iade`,
        `${site.url}/yok`,
        'https://example.com/',
      ]),
    )
    site.pages.set('/kargo', htmlPage('Kargo', 'Kuş tüyü yastık kargoyla gelir.'))
    site.pages.set('/iade', htmlPage('İade', 'Kuş tüyü yastık geri alınmaz.'))
    const doc = await add(`${site.url}/sitemap.xml`)
    expect(doc).toMatchObject({
      kind: 'sitemap',
      state: 'ready',
      error: null,
      pages: { total: 3, ready: 2, failed: 1 },
      passages: 2,
    })
    const pages = await pagesOf(doc)
    expect(pages.map(({ title, state }) => `${title} ${state}`).toSorted()).toEqual([
      'Kargo ready',
      `${site.url}/yok failed`,
      'İade ready',
    ])
    expect(pages.find(({ state }) => state === 'failed')?.error).toContain('404')
    const [first] = await searchFor(product, shop, 'kuş tüyü yastık geri alınır mı')
    expect(first).toMatchObject({ title: 'İade', url: `${site.url}/iade` })
    expect((await list('')).map(({ kind }) => kind)).toEqual(['sitemap'])
  })

  test('forgets pages that it names no more, and adds new ones, at the next sync', async () => {
    const site = await openSite()
    site.pages.set('/eski', htmlPage('Eski', 'Fesleğen saksıda satılır.'))
    site.pages.set('/ortak', htmlPage('Ortak', 'Ortak sayfa.'))
    site.pages.set('/sitemap.xml', sitemapOf([`${site.url}/eski`, `${site.url}/ortak`]))
    const doc = await add(`${site.url}/sitemap.xml`)
    const kept = (await pagesOf(doc)).find(({ title }) => title === 'Ortak')?.doc_id
    site.pages.set('/yeni', htmlPage('Yeni', 'Fesleğen demet satılır.'))
    site.pages.set('/sitemap.xml', sitemapOf([`${site.url}/yeni`, `${site.url}/ortak`]))
    await sync(doc.doc_id)
    const after = await pagesOf(doc)
    expect(after.map(({ title }) => title).toSorted()).toEqual(['Ortak', 'Yeni'])
    expect(after.find(({ title }) => title === 'Ortak')?.doc_id).toBe(kept)
    const found = await searchFor(product, shop, 'fesleğen')
    expect(found.map(({ text }) => text)).toEqual(['Fesleğen demet satılır.'])
  })

  test('may be an index of others, compressed or plain, and never leaves its site', async () => {
    const site = await openSite()
    const other = await openSite()
    site.pages.set(
      '/index.xml',
      `<sitemapindex><sitemap><loc>${site.url}/a.xml.gz</loc></sitemap>
      <sitemap><loc>${site.url}/b.txt</loc></sitemap><sitemap><loc>${site.url}/index.xml</loc></sitemap>
      <sitemap><loc>${other.url}/c.xml</loc></sitemap><sitemap><loc>${site.url}/broken.xml</loc></sitemap>
      </sitemapindex>`,
    )
    site.pages.set('/a.xml.gz', { body: gzipSync(sitemapOf([`${site.url}/bir`])) })
    site.pages.set('/b.txt', { body: `${site.url}/iki\n${site.url}/uc\n${site.url}/bir#x\n` })
    site.pages.set('/broken.xml', { status: 500 })
    site.pages.set('/bir', htmlPage('Bir', 'Birinci.'))
    site.pages.set('/iki', htmlPage('İki', 'İkinci.'))
    site.pages.set('/uc', { status: 302, headers: { location: `${other.url}/uc` } })
    const doc = await add(`${site.url}/index.xml`)
    expect(doc).toMatchObject({ state: 'ready', pages: { total: 3, ready: 2, failed: 1 } })
    expect((await pagesOf(doc)).map(({ error }) => error ?? '').join('')).toMatch(/another site/)
    expect(other.asked).toEqual([])
  })

  test('asks a site for two pages at a time, and waits where robots.txt says so', async () => {
    const site = await openSite()
    const paths = Array.from({ length: 12 }, (_, at) => `/sayfa-${at}`)
    for (const path of paths) {
      site.pages.set(path, (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' })
        setTimeout(() => response.end(htmlPage(path, `Sayfa ${path}.`)), 10)
      })
    }
    site.pages.set('/sitemap.xml', sitemapOf(paths.map((path) => site.url + path)))
    expect(await add(`${site.url}/sitemap.xml`)).toMatchObject({ pages: { ready: 12 } })
    expect(site.max).toBeLessThanOrEqual(2)

    const slow = await openSite()
    slow.pages.set('/robots.txt', 'User-agent: *\nCrawl-delay: 0.1\nDisallow: /gizli')
    slow.pages.set('/sitemap.xml', sitemapOf(['/a', '/b', '/gizli'].map((path) => slow.url + path)))
    slow.pages.set('/a', htmlPage('A', 'Bir.'))
    slow.pages.set('/b', htmlPage('B', 'İki.'))
    const doc = await add(`${slow.url}/sitemap.xml`)
    expect(doc).toMatchObject({ pages: { ready: 2, failed: 1 } })
    expect(slow.max).toBe(1)
    expect(slow.asked.map(({ path }) => path)).not.toContain('/gizli')
  })

  test('counts a page once that says it is a copy of another', async () => {
    const site = await openSite()
    const link = `<link rel="canonical" href="${site.url}/asil">`
    site.pages.set('/asil', htmlPage('Asıl', 'Papatya çayı vardır.', link))
    site.pages.set('/kopya', htmlPage('Kopya', 'Papatya çayı vardır.', link))
    site.pages.set('/tasindi', { status: 301, headers: { location: '/asil' } })
    const paths = ['/asil', '/kopya', '/tasindi']
    site.pages.set('/sitemap.xml', sitemapOf(paths.map((path) => site.url + path)))
    const doc = await add(`${site.url}/sitemap.xml`)
    expect(doc).toMatchObject({ pages: { ready: 1, failed: 2 }, passages: 1 })
    expect((await pagesOf(doc)).map(({ error }) => error ?? '').join()).toContain('copy of')
    expect(await searchFor(product, shop, 'papatya çayı')).toHaveLength(1)
  })

  test('reads at most 500 pages and says so', async () => {
    const site = await openSite()
    const urls = Array.from({ length: 600 }, (_, at) => `${site.url}/p${at}`)
    for (const url of urls) site.pages.set(new URL(url).pathname, htmlPage('P', `Metin ${url}.`))
    site.pages.set('/sitemap.xml', sitemapOf(urls))
    const doc = await add(`${site.url}/sitemap.xml`)
    expect(doc).toMatchObject({ state: 'ready', pages: { total: 500, ready: 500 } })
    expect(doc.error).toMatch(/first 500 pages/)
    await product.call(`${base()}/${doc.doc_id}`, { method: 'DELETE', token: shop.token })
    expect(await pagesOf(doc)).toEqual([])
  }, 60_000)

  test('is found from the address of the site, or its pages by their links', async () => {
    const site = await openSite()
    site.pages.set(
      '/',
      htmlPage('Ana', 'Ana sayfa. <a href="/kargo?a=1#b">Kargo</a> <a href="/l.png">'),
    )
    site.pages.set('/sepet', htmlPage('Sepet', 'Sepetiniz boş.'))
    site.pages.set('/kargo?a=1', htmlPage('Kargo', 'Kargo 59 TL.'))
    const linked = await add(`${site.url}/`)
    expect(linked).toMatchObject({ state: 'ready', pages: { total: 3, ready: 3 } })
    site.pages.set('/gizli', htmlPage('Gizli', 'Bağlantısı yok.'))
    site.pages.set('/sitemap.xml', sitemapOf([`${site.url}/gizli`]))
    const listed = await add(`${site.url}/`)
    expect(listed).toMatchObject({ state: 'ready', pages: { total: 2, ready: 2 } })
  })

  describe('fails with what to do', () => {
    test.each([
      ['a page', htmlPage('Sayfa', 'Burada liste yok.'), /no sitemap/],
      ['nothing', '', /no sitemap/],
      ['a bomb', gzipSync(Buffer.alloc(60_000_000, ' ')), /too large/],
      ['only others', sitemapOf(['https://example.com/a']), /names no page/],
    ])('where it is %s', async (_, body, sentence) => {
      const site = await openSite()
      site.pages.set('/sitemap.xml', { body })
      const doc = await add(`${site.url}/sitemap.xml`)
      expect(doc).toMatchObject({ state: 'failed', pages: { total: 0 } })
      expect(doc.error).toMatch(sentence)
    })

    test('where its site goes down, and keeps what it had', async () => {
      const site = await openSite()
      const urls = Array.from({ length: 8 }, (_, at) => `${site.url}/s${at}`)
      for (const url of urls) site.pages.set(new URL(url).pathname, htmlPage('S', `Kaktüs ${url}`))
      site.pages.set('/sitemap.xml', sitemapOf(urls))
      const doc = await add(`${site.url}/sitemap.xml`)
      for (const url of urls) site.pages.set(new URL(url).pathname, { status: 502 })
      const down = await sync(doc.doc_id)
      expect(down).toMatchObject({ state: 'ready', pages: { ready: 8 } })
      expect(down.error).toMatch(/stopped answering/)
      site.pages.delete('/sitemap.xml')
      expect(await sync(doc.doc_id)).toMatchObject({ state: 'ready', passages: 8 })
    })
  })
})
