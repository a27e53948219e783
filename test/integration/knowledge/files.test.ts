import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Document } from '../../../server/knowledge/schema.ts'
import type { Problem } from '../../helpers/answers.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { readDocument, searchFor, showDocument, upload } from '../../helpers/knowledge.ts'
import { docxXml, makeDocx } from '../../helpers/office-files.ts'
import { type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

const FILES = join(import.meta.dirname, '../../data/files')
const fileOf = (name: string) => Uint8Array.from(readFileSync(join(FILES, name)))

const MANUAL = makeDocx(
  docxXml([
    { text: 'Bakım Kılavuzu', style: 'KonuBal' },
    { text: 'Cihazı ilk kez çalıştırmadan önce bu kılavuzu okuyun.' },
    { text: 'Kireç çözme', style: 'Balk1' },
    { text: 'Makineyi ayda bir kez sirke & suyla çalıştırın.' },
    { text: 'Filtreyi durulayın', isItem: true },
    { text: 'Yedek parçalar', style: 'Balk2' },
    {
      rows: [
        ['Parça', 'Kod'],
        ['Conta halkası', 'CH-204'],
      ],
    },
  ]),
)

describeOnBothDatabases('an uploaded file', (database) => {
  let site: TestWorkspace

  const product = useProduct(database)
  beforeAll(async () => {
    site = await addWorkspace(product)
  })

  test('is read from PDF, with its headings, Turkish letters and tables', async () => {
    const sent = await upload(product, site, { name: 'kargo.pdf', bytes: fileOf('kargo.pdf') })
    expect(sent.status, sent.text).toBe(201)
    expect(sent.body).toMatchObject({ kind: 'pdf', title: 'kargo', file_name: 'kargo.pdf' })
    const read = await readDocument(product, site, sent.body.doc_id)
    expect(read).toMatchObject({ state: 'ready', error: null, passages: 4 })
    expect(read.content).toContain('Iğdır, Şırnak ve Ağrı')
    const [first] = await searchFor(product, site, 'iade süresi kaç gün')
    expect(first).toMatchObject({ doc_id: sent.body.doc_id, heading: 'İade süresi' })
  })

  test('is read from Word, with headings by style in any language, lists and tables', async () => {
    const sent = await upload(product, site, { name: 'Bakım Kılavuzu.docx', bytes: MANUAL })
    expect(sent.body).toMatchObject({ kind: 'docx', file_name: 'Bakım Kılavuzu.docx' })
    const read = await readDocument(product, site, sent.body.doc_id)
    expect(read).toMatchObject({ state: 'ready', title: 'Bakım Kılavuzu', passages: 3 })
    const [first] = await searchFor(product, site, 'conta halkası kodu')
    expect(first).toMatchObject({ heading: 'Kireç çözme › Yedek parçalar' })
    expect(first?.text).toContain('| Conta halkası | CH-204 |')
    expect(read.content).toContain('sirke & suyla')
  })

  test.each([
    ['Markdown', '# Ödeme\n\nHavale ile **ödeme** alınır.', 'markdown'],
    ['HTML', '<!doctype html><title>Ödeme</title><p>Havale ile ödeme alınır.</p>', 'html'],
    ['plain text', 'Havale ile ödeme alınır.', 'text'],
  ])('is known as %s by what is in it, whatever it is called', async (_, bytes, kind) => {
    const sent = await upload(product, site, { name: 'resim.png', bytes, type: 'image/png' })
    expect(sent.status, sent.text).toBe(201)
    expect(sent.body).toMatchObject({ kind, state: 'ready', title: 'resim' })
  })

  test.each([
    ['windows-1254', Uint8Array.from([0xde, 0x69, 0xfe, 0x20, 0xf0, 0x20, 0xdd])],
    ['UTF-16', Uint8Array.from(Buffer.from('\uFEFFŞiş ğ İ', 'utf16le'))],
    ['UTF-8 with a mark', Uint8Array.from(Buffer.from('\uFEFFŞiş ğ İ'))],
  ])('in %s keeps its letters', async (_, bytes) => {
    const sent = await upload(product, site, { name: 'a.txt', bytes })
    expect((await showDocument(product, site, sent.body.doc_id)).content).toBe('Şiş ğ İ')
  })

  test('of many megabytes of text is read in the background', async () => {
    const bytes = `Depo kataloğu.\n\n${'Raf numarası ve ürün adı burada yazar.\n\n'.repeat(20_000)}Zümrüt yüzük raf 99.`
    const sent = await upload(product, site, { name: 'katalog.txt', bytes })
    expect(sent.body.state).toMatch(/queued|indexing/)
    expect(await readDocument(product, site, sent.body.doc_id)).toMatchObject({ state: 'ready' })
    await product.call(`/api/v1/tenants/${site.tenantId}/knowledge/${sent.body.doc_id}`, {
      method: 'DELETE',
      token: site.token,
    })
  })

  test('with a title and an address is shown and cited with them', async () => {
    const sent = await upload(
      product,
      site,
      { name: 'x.md', bytes: '# Servis\n\nServis Kadıköy’dedir.' },
      { title: 'Servis noktaları', url: 'https://example.com/servis' },
    )
    expect(sent.body).toMatchObject({
      title: 'Servis noktaları',
      url: 'https://example.com/servis',
    })
    const bad = await upload(product, site, { name: 'x.md', bytes: 'a' }, { url: 'nowhere' })
    expect(bad.status).toBe(422)
    expect(bad.body.errors).toMatchObject([{ path: '/url' }])
    const unknown = await upload(product, site, { name: 'x.md', bytes: 'a' }, { kind: 'pdf' })
    expect(unknown.body.errors).toMatchObject([{ path: '/kind' }])
  })

  describe('that holds nothing to read', () => {
    test('is refused at once where its first bytes say so', async () => {
      const files = [
        Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]),
        Uint8Array.from(Buffer.from('PK\u0003\u0004 nothing of Word')),
        Uint8Array.from(Buffer.from('{\\rtf1 text}')),
        new Uint8Array(),
      ]
      for (const bytes of files) {
        const sent = await upload(product, site, { name: 'text.txt', bytes })
        expect(sent.status, sent.text).toBe(422)
        expect(sent.body.errors).toMatchObject([{ path: '/file' }])
      }
    })

    test.each([
      ['a scan', fileOf('scan.pdf'), /no text in this PDF/],
      ['a damaged PDF', Uint8Array.from(Buffer.from('%PDF-1.7 nonsense')), /damaged/],
      ['a damaged Word file', MANUAL.slice(0, 500), /damaged|no text/],
      ['an empty Word file', makeDocx(docxXml([])), /no text/],
    ])('fails with what to do: %s', async (_, bytes, sentence) => {
      const sent = await upload(product, site, { name: 'file', bytes })
      if (sent.status === 422) return
      const read = await readDocument(product, site, sent.body.doc_id)
      expect(read).toMatchObject({ state: 'failed', passages: 0, content: '' })
      expect(read.error).toMatch(sentence)
    })
  })

  test('cannot be passed off as JSON, nor JSON as a file', async () => {
    const path = `/api/v1/tenants/${site.tenantId}/knowledge`
    const { token } = site
    for (const body of [
      { file: { bytes: 'eA==', fileName: 'x' }, bytes: [1], fileName: 'x.md', fields: {} },
      { kind: 'text', title: 'x', content: 'y', file: { type: 'file', _buf: 'x' } },
    ]) {
      expect((await product.call(path, { token, body })).status).toBe(422)
    }
    const form = await product.call(path, {
      token,
      raw: '{"kind":"text","title":"x","content":"y"}',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
    expect([400, 422]).toContain(form.status)
    const elsewhere = await product.call('/api/v1/tenants', {
      token,
      raw: '--x--',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
    expect(elsewhere.status).toBe(415)
  })

  test('comes alone, with few other fields, and all of them text', async () => {
    const files = `/api/v1/tenants/${site.tenantId}/knowledge/files`
    const send = (form: FormData) =>
      fetch(product.url + files, {
        method: 'POST',
        headers: { authorization: `Bearer ${site.token}` },
        body: form,
      })
    const formOf = (parts: Record<string, string | Blob>) => {
      const form = new FormData()
      for (const [name, part] of Object.entries(parts)) form.append(name, part)
      return form
    }
    const file = new Blob(['Bir söz.'])
    const added = await send(formOf({ title: 'Söz', file }))
    expect([added.status, await added.json()]).toMatchObject([201, { title: 'Söz', kind: 'text' }])
    const asJson = await product.call<Problem>(files, { token: site.token, body: { title: 'x' } })
    expect([asJson.status, asJson.body.code]).toEqual([415, 'unsupported_media_type'])
    const twice = formOf({ file })
    twice.append('file', file)
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`field${at}`, 'x']))
    expect((await send(twice)).status).toBe(422)
    expect((await send(formOf({ other: file }))).status).toBe(422)
    expect((await send(formOf({ title: 'No file' }))).status).toBe(422)
    expect((await send(formOf({ ...many, file }))).status).toBe(413)
    expect((await send(formOf({ title: 'a\0b', file }))).status).toBe(422)
    expect((await send(formOf({ title: 'x'.repeat(9_000), file }))).status).toBe(422)
    expect((await send(formOf({ title: ' ', file }))).status).toBe(422)
  })

  test('says which field of a JSON body does not fit, whatever kind it is', async () => {
    const wrong = async (body: unknown) => {
      const answer = await product.call<Problem>(`/api/v1/tenants/${site.tenantId}/knowledge`, {
        token: site.token,
        body,
      })
      expect(answer.status).toBe(422)
      return (answer.body.errors ?? []).map(({ path }) => path)
    }
    const text = { kind: 'text', title: 'x', content: 'y' }
    expect(await wrong({ ...text, kind: 'pdf' })).toEqual(['/kind'])
    expect(await wrong({ title: 'x', content: 'y' })).toEqual(['/kind'])
    expect(await wrong({ ...text, content: 1 })).toEqual(['/content'])
    expect(await wrong({ ...text, sync_hours: 1 })).toEqual(['/sync_hours'])
    expect(await wrong({ kind: 'url' })).toEqual(['/url'])
    expect(await wrong({ kind: 'sitemap', url: 'https://example.com/', content: 'y' })).toEqual([
      '/content',
    ])
  })

  test('is refused beyond 10 MB', async () => {
    const bytes = new Uint8Array(10_000_001).fill(65)
    const sent = await upload(product, site, { name: 'a.txt', bytes })
    expect(sent.status).toBe(413)
    expect(sent.body.code).toBe('payload_too_large')
  })

  test('has a name that is text and nothing else', async () => {
    const name = '../../etc/<img src=x onerror=alert(1)>\u202Efdp.md'
    const sent = await upload(product, site, { name, bytes: 'Bir iki üç.' })
    expect(sent.body.file_name).toBe('<img src=x onerror=alert(1)>fdp.md')
    expect(sent.headers.get('content-type')).toContain('application/json')
  })

  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '"><svg onload=alert(1)>',
    'javascript:alert(1)',
    '{{constructor.constructor("alert(1)")()}}',
    '</title></textarea></script><iframe srcdoc="x">',
    "';alert(1)//",
  ])('is text everywhere, whatever it says: %s', async (attack) => {
    const name = `${attack}.txt`
    const text = `Saldırı denemesi ${attack} burada biter.`
    const sent = await upload(product, site, { name, bytes: text }, { title: attack })
    expect(sent.status, sent.text).toBe(201)
    const path = `/api/v1/tenants/${site.tenantId}/knowledge/${sent.body.doc_id}`
    const shown = await product.call<Document & { content: string }>(path, {
      token: site.token,
    })
    expect(shown.headers.get('content-type')).toMatch(/^application\/json/)
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff')
    expect(shown.body).toMatchObject({ title: attack, content: text })
    const found = await searchFor(product, site, 'saldırı denemesi')
    expect(found.map((hit) => hit.text)).toContain(text)
    const linked = await upload(
      product,
      site,
      { name, bytes: text },
      { url: 'javascript:alert(1)' },
    )
    expect(linked.status).toBe(422)
    await product.call(path, { method: 'DELETE', token: site.token })
  })

  test('keeps its text when only its title changes', async () => {
    const sent = await upload(product, site, { name: 'kargo.pdf', bytes: fileOf('kargo.pdf') })
    const path = `/api/v1/tenants/${site.tenantId}/knowledge/${sent.body.doc_id}`
    const before = await readDocument(product, site, sent.body.doc_id)
    const change = (body: unknown) =>
      product.call(path, { method: 'PATCH', token: site.token, body })
    expect((await change({ title: 'Kargo' })).status).toBe(200)
    expect((await change({ content: 'anything' })).status).toBe(422)
    const after = await showDocument(product, site, sent.body.doc_id)
    expect(after).toMatchObject({ title: 'Kargo', content: before.content })
  })
})
