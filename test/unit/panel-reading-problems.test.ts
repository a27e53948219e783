import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { explainReading } from '../../panel/knowledge/reading-problems.ts'
import { words as english } from '../../panel/locales/en/parts/reading-problems.ts'
import { words as turkish } from '../../panel/locales/tr/parts/reading-problems.ts'
import { BLOCK_MESSAGES } from '../../server/net/target.ts'

/** Where a sentence can become the `error` of a document. */
const FOLDERS = ['parsers', 'crawl', 'jobs'] as const
const MORE = ['documents/limits.ts', 'documents/store.ts'] as const
/** Sentences of refused requests, which are no document's error. */
const OF_REQUESTS = /^(?:At most|A tenant can have|Only pages and sitemaps)/

/** Every sentence with a full stop in the sources that read documents; what is filled in is a 7. */
async function sentencesOfServer(): Promise<string[]> {
  const root = join(import.meta.dirname, '../../server/knowledge')
  const listed = await Promise.all(
    FOLDERS.map(async (folder) => (await readdir(join(root, folder))).map((f) => join(folder, f))),
  )
  const texts = [...listed.flat(), ...MORE].map((file) => readFileSync(join(root, file), 'utf8'))
  const found = texts.flatMap((text) => text.match(/(['"`])[A-Z](?:(?!\1)[^\n])+\.\1/g) ?? [])
  const filled = found.map((literal) => literal.slice(1, -1).replace(/\$\{[^}]+\}/g, '7'))
  return filled.filter((sentence) => !OF_REQUESTS.test(sentence))
}

test('every reason why a document cannot be read has a sentence in both languages', async () => {
  const reasons = [...(await sentencesOfServer()), ...Object.values(BLOCK_MESSAGES)]
  expect(reasons.length).toBeGreaterThan(45)
  const unknown = reasons.filter((reason) => explainReading(reason, turkish) === undefined)
  expect(unknown).toEqual([])
})

test.each([
  [
    'There is no text in this PDF; it seems to be a scan. Run text recognition (OCR) on it first.',
    'PDF’te metin yok, taranmış görünüyor. Önce metin tanımadan (OCR) geçirin.',
  ],
  [
    'The PDF has 2400 pages; at most 2000 are read. Split it.',
    'PDF 2400 sayfa; en çok 2000 sayfa okunur. Bölüp yükleyin.',
  ],
  [
    'There is no page at this address (status 404).',
    'Bu adreste sayfa yok (404). Adresi denetleyin.',
  ],
  [
    'This is an old Office file. Send Markdown, HTML, plain text, PDF or Word (.docx).',
    'Bu dosya türü okunmaz. PDF, Word (.docx), Markdown, HTML ya da metin yükleyin.',
  ],
  [
    'This is a PDF file, not text. Save it as text and send that.',
    'Bu metin değil, bir dosya. Dosya olarak yükleyin ya da metnini yapıştırın.',
  ],
  [
    'No page could be read. The first one: It leads to another site (shop.example.com).',
    'Hiçbir sayfası okunamadı. İlki: Adres başka bir siteye gidiyor (shop.example.com). Onu ekleyin.',
  ],
  [
    "It could not be read again, so answers use what was read before: The site's robots.txt cannot be read: The site took too long to answer.",
    'Yeniden okunamadı; önceki metin kullanılıyor. Sitenin robots.txt dosyası okunamadı. Site zamanında yanıt vermedi. Daha sonra yeniden okutun.',
  ],
])('a Turkish owner reads “%s” as “%s”', (reason, sentence) => {
  expect(explainReading(reason, turkish)).toBe(sentence)
})

test('a reason that the panel does not know stays English only for English readers', () => {
  const reason = 'No page could be read. The first one: A new reason.'
  expect(explainReading(reason, english)).toContain('A new reason.')
  expect(explainReading(reason, turkish)).not.toContain('A new reason.')
})
