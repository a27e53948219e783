import { gzipSync } from 'node:zlib'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Document } from '../../../server/knowledge/schema.ts'
import type { Problem } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { readDocument, searchFor, showDocument } from '../../helpers/knowledge.ts'
import { type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { htmlPage, type Site, type SitePage, startSite } from '../../helpers/servers/site.ts'
import { useProduct } from '../../helpers/use-product.ts'

const PDF = readFileSync(join(import.meta.dirname, '../../data/files/kargo.pdf'))

describeOnDatabase('a page of the web', (database) => {
  let site: Site
  let shop: TestWorkspace

  afterAll(() => site.close())
  const product = useProduct(database, {
    settings: { ALLOWED_TARGET_CIDRS: '127.0.0.0/8' },
  })
  beforeAll(async () => {
    site = await startSite()
    shop = await addWorkspace(product)
  })

  const base = () => `/api/v1/tenants/${shop.tenantId}/knowledge`

  async function add(path: string, more: Record<string, unknown> = {}): Promise<Document> {
    const url = path.startsWith('http') ? path : site.url + path
    const added = await product.call<Document>(base(), {
      token: shop.token,
      body: { kind: 'url', url, ...more },
    })
    expect(added.status, added.text).toBe(201)
    return added.body
  }

  /** Puts a page on the site and has it read. */
  async function read(path: string, page: SitePage): Promise<Document & { content: string }> {
    site.pages.set(path, page)
    const { doc_id: id } = await add(path)
    return readDocument(product, shop, id)
  }

  async function sync(id: string): Promise<Document & { content: string }> {
    const asked = await product.call<Document>(`${base()}/${id}/sync`, {
      method: 'POST',
      token: shop.token,
    })
    expect(asked.status, asked.text).toBe(202)
    return readDocument(product, shop, id)
  }

  test('is read, without what stands around it on every page, and cited by its address', async () => {
    const page = htmlPage('Garanti', 'Bütün kahve makinelerinde otuz ay garanti vardır.')
    const doc = await read('/garanti', page)
    expect(doc).toMatchObject({
      kind: 'url',
      state: 'ready',
      title: 'Garanti',
      url: `${site.url}/garanti`,
      error: null,
      pages: null,
      sync_hours: 24,
    })
    expect(doc.content).not.toContain('altbilgi')
    expect(doc.content).not.toContain('Sepetim')
    const [first] = await searchFor(product, shop, 'garanti kaç ay')
    expect(first).toMatchObject({ doc_id: doc.doc_id, url: `${site.url}/garanti` })
  })

  test('asks as SohbetBot, and after robots.txt', () => {
    const [first, second] = site.asked
    expect(first?.path).toBe('/robots.txt')
    expect(second?.headers['user-agent']).toMatch(/^SohbetBot\/\d/)
  })

  test.each<[string, SitePage, RegExp]>([
    ['PDF behind a wrong type', { body: PDF, headers: { 'content-type': 'text/plain' } }, /Iğdır/],
    [
      'windows-1254',
      {
        body: Uint8Array.from([0xde, 0x69, 0xfe, 0x20, 0xf0]),
        headers: { 'content-type': 'text/plain' },
      },
      /Şiş ğ/,
    ],
    [
      'gzip',
      {
        body: gzipSync(htmlPage('Sıkışık', 'Sıkışık sayfa.')),
        headers: { 'content-encoding': 'gzip' },
      },
      /Sıkışık sayfa/,
    ],
  ])('is recognised by what it holds: %s', async (name, page, text) => {
    const doc = await read(`/${encodeURIComponent(name)}`, page)
    expect(doc.content).toMatch(text)
  })

  describe('that changes', () => {
    test('is read again, and only the new version is found', async () => {
      site.pages.set('/fiyat', htmlPage('Fiyat', 'Zümrüt paket 100 liradır.'))
      const { doc_id: id } = await add('/fiyat')
      await readDocument(product, shop, id)
      site.pages.set('/fiyat', htmlPage('Fiyat', 'Zümrüt paket 175 liradır.'))
      const again = await sync(id)
      expect(again).toMatchObject({ state: 'ready', passages: 1 })
      const found = await searchFor(product, shop, 'zümrüt paket kaç lira')
      expect(found[0]?.text).toContain('175')
      expect(found.map(({ text }) => text).join()).not.toContain('100')
    })

    test('is not sent again where the site says that it is the same', async () => {
      site.pages.set('/etag', (request, response) => {
        const isKnown = request.headers['if-none-match'] === '"v1"'
        response.writeHead(isKnown ? 304 : 200, { etag: '"v1"', 'content-type': 'text/html' })
        response.end(isKnown ? '' : htmlPage('Sabit', 'Sabit sayfa hiç değişmez.'))
      })
      const { doc_id: id } = await add('/etag')
      const before = await readDocument(product, shop, id)
      const after = await sync(id)
      expect(after).toMatchObject({ state: 'ready', content: before.content })
      expect(site.asked.filter(({ path }) => path === '/etag')).toHaveLength(2)
    })

    test('is forgotten once it is gone, and comes back with its site', async () => {
      site.pages.set('/kampanya', htmlPage('Kampanya', 'Lavanta kampanyası cuma biter.'))
      const { doc_id: id } = await add('/kampanya')
      await readDocument(product, shop, id)
      site.pages.set('/kampanya', { status: 410 })
      expect(await sync(id)).toMatchObject({ state: 'failed', passages: 0, content: '' })
      expect((await searchFor(product, shop, 'lavanta')).map((hit) => hit.doc_id)).not.toContain(id)
      site.pages.set('/kampanya', htmlPage('Kampanya', 'Lavanta kampanyası cuma biter.'))
      expect(await sync(id)).toMatchObject({ state: 'ready', error: null, passages: 1 })
    })

    test('keeps what was read while its site is down, and says so', async () => {
      site.pages.set('/bakim', htmlPage('Bakım', 'Menekşe bakımı pazar günüdür.'))
      const { doc_id: id } = await add('/bakim')
      await readDocument(product, shop, id)
      site.pages.set('/bakim', { status: 503 })
      const down = await sync(id)
      expect(down).toMatchObject({ state: 'ready', passages: 1 })
      expect(down.error).toMatch(/could not be read again.*503/)
      expect(down.next_sync_at).not.toBeNull()
    })
  })

  describe('is not read', () => {
    test.each<[string, SitePage, RegExp]>([
      ['unknown', { status: 404 }, /no page at this address \(status 404\)/],
      ['forbidden', { status: 403 }, /refuses to show/],
      ['broken', { status: 500 }, /status 500/],
      ['robots', htmlPage('Gizli', 'Gizli', '<meta name="robots" content="noindex">'), /noindex/],
      [
        'header',
        { body: htmlPage('Gizli', 'Gizli'), headers: { 'x-robots-tag': 'noindex, nofollow' } },
        /noindex/,
      ],
      [
        'private',
        { status: 302, headers: { location: 'http://10.0.0.1/' } },
        /must start with https/,
      ],
      [
        'metadata',
        { status: 302, headers: { location: 'https://169.254.169.254/latest/' } },
        /public/,
      ],
      ['file', { status: 302, headers: { location: 'file:///etc/passwd' } }, /https/],
      ['picture', { body: Buffer.from('\u0089PNG\r\n\u001A\n\0\0', 'latin1') }, /image|binary/],
      ['nothing', '', /empty/],
      ['script', '<!doctype html><html><script>draw()</script></html>', /no text/],
      ['damaged', { body: 'no gzip', headers: { 'content-encoding': 'gzip' } }, /damaged/],
      [
        'bomb',
        { body: gzipSync(Buffer.alloc(60_000_000, 'a')), headers: { 'content-encoding': 'gzip' } },
        /larger than 2 MB/,
      ],
      [
        'endless',
        (_request, response) => {
          const more = () => {
            while (!response.destroyed && response.write('x'.repeat(65_536)));
          }
          response.on('drain', more)
          more()
        },
        /larger than 2 MB/,
      ],
      ['reset', (_request, response) => response.destroy(), /broke the connection|did not answer/],
    ])('where it is %s', async (name, page, sentence) => {
      const doc = await read(`/not-read-${name}`, page)
      expect(doc).toMatchObject({ state: 'failed', passages: 0 })
      expect(doc.error).toMatch(sentence)
    })

    test('where robots.txt forbids it, to everyone or to this robot', async () => {
      const other = await startSite({
        '/robots.txt': 'User-agent: *\nDisallow: /gizli\n\nUser-agent: SohbetBot\nDisallow: /ozel',
        '/gizli': htmlPage('Gizli', 'Herkes için kapalı, bize değil.'),
        '/ozel': htmlPage('Özel', 'Bize kapalı.'),
        '/yol': { status: 301, headers: { location: '/ozel' } },
      })
      const states: string[] = []
      for (const path of ['/gizli', '/ozel', '/yol']) {
        const { doc_id: id } = await add(other.url + path)
        states.push((await readDocument(product, shop, id)).state)
      }
      await other.close()
      expect(states).toEqual(['ready', 'failed', 'failed'])
      expect(other.asked.map(({ path }) => path)).not.toContain('/ozel')
    })

    test('where robots.txt cannot be had, until it can', async () => {
      const other = await startSite({
        '/robots.txt': { status: 500 },
        '/a': htmlPage('A', 'Bir sayfa.'),
      })
      const { doc_id: id } = await add(`${other.url}/a`)
      expect((await readDocument(product, shop, id)).error).toMatch(/robots.txt cannot be read/)
      other.pages.set('/robots.txt', { status: 404 })
      expect(await sync(id)).toMatchObject({ state: 'ready' })
      await other.close()
    })

    test('where it leads in a circle', async () => {
      site.pages.set('/b', { status: 302, headers: { location: '/c' } })
      const doc = await read('/c', { status: 302, headers: { location: '/b' } })
      expect(doc.error).toMatch(/circle/)
    })
  })

  test('is refused at once where its address is private', async () => {
    for (const url of [
      'https://10.0.0.1/',
      'https://[::ffff:10.0.0.1]/',
      'https://user:pass@example.com/',
      'ftp://example.com/',
    ]) {
      const { status, body } = await product.call<Problem>(base(), {
        token: shop.token,
        body: { kind: 'url', url },
      })
      expect(status, url).toBe(422)
      expect(body.errors?.[0]?.path).toBe('/url')
    }
  })

  test('can be renamed, moved and read at other times', async () => {
    site.pages.set('/eski', htmlPage('Eski', 'Eski adres.'))
    site.pages.set('/yeni', htmlPage('Yeni', 'Yeni adres.'))
    const { doc_id: id } = await add('/eski', { title: 'Adres', sync_hours: null })
    const first = await readDocument(product, shop, id)
    expect(first).toMatchObject({ title: 'Adres', sync_hours: null, next_sync_at: null })
    const change = (body: unknown) =>
      product.call(`${base()}/${id}`, { method: 'PATCH', token: shop.token, body })
    expect((await change({ url: `${site.url}/yeni`, sync_hours: 1 })).status).toBe(200)
    await expect
      .poll(async () => (await showDocument(product, shop, id)).content)
      .toContain('Yeni adres.')
    expect((await change({ content: 'other' })).status).toBe(422)
    expect((await change({ url: null })).status).toBe(422)
    expect((await change({ url: 'https://10.0.0.1/' })).status).toBe(422)
    expect((await showDocument(product, shop, id)).next_sync_at).not.toBeNull()
  })

  test('is the only kind of document that can be read again', async () => {
    const pasted = await product.call<Document>(base(), {
      token: shop.token,
      body: { kind: 'text', title: 'Saatler', content: 'Dokuzda açılır.' },
    })
    const { status } = await product.call(`${base()}/${pasted.body.doc_id}/sync`, {
      method: 'POST',
      token: shop.token,
    })
    expect(status).toBe(409)
  })
})
