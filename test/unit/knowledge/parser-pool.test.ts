import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { afterAll, expect, test } from 'vitest'
import { ParserPool } from '../../../server/knowledge/parsers/pool.ts'
import { docxXml, makeDocx, makePdf } from '../../helpers/office-files.ts'

const PDF = Uint8Array.from(readFileSync(join(import.meta.dirname, '../../data/files/kargo.pdf')))
const MEGABYTE = 1_000_000

const pool = new ParserPool()
afterAll(() => pool.close())

const parse = (bytes: Uint8Array, from = pool) => from.parse({ bytes, title: 'A file' })

/** A Word file whose text is so large, though the file is not. */
function swollenDocx(megabytes: number): Uint8Array {
  const piece = strToU8(
    '<w:p><w:r><w:t>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa</w:t></w:r></w:p>',
  )
  const xml = new Uint8Array(megabytes * MEGABYTE)
  xml.set(strToU8('<w:document>'))
  for (let at = 12; at + piece.length < xml.length; at += piece.length) xml.set(piece, at)
  return makeDocx(xml)
}

test.each<[string, () => Uint8Array, RegExp]>([
  ['a bomb of a Word file', () => swollenDocx(60), /too large/],
  [
    'a Word file of more parts than anyone has',
    () => {
      const parts: Record<string, Uint8Array> = {}
      for (let at = 0; at < 6_000; at += 1) parts[`word/${at}.xml`] = new Uint8Array()
      return zipSync({ ...parts, 'word/document.xml': strToU8('<w:document/>') })
    },
    /too large/,
  ],
  [
    'a PDF that says it has a million pages',
    () => makePdf(new Uint8Array(), { pages: 50_000 }),
    /pages/,
  ],
  [
    'a locked PDF',
    () =>
      makePdf(new Uint8Array(10), {
        trailer: `/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]
        /Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -44
        /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >>`,
      }),
    /password/,
  ],
  ['a file cut off in the middle', () => PDF.slice(0, 9_000), /./],
])('refuses %s with a sentence, and reads the next file', async (_, make, sentence) => {
  const result = await parse(make())
  expect('problem' in result ? result.problem : 'it was read').toMatch(sentence)
  expect(await parse(PDF)).toMatchObject({ document: { kind: 'pdf' } })
})

test('reads XML of any depth in flat memory', async () => {
  const depth = 200_000
  const nested = `<w:document>${'<w:sdt>'.repeat(depth)}<w:p><w:r><w:t>Dipteki söz</w:t></w:r></w:p>${'</w:sdt>'.repeat(depth)}</w:document>`
  const result = await parse(makeDocx(nested))
  expect(result).toMatchObject({ document: { passages: [{ text: 'Dipteki söz' }] } })
})

test('ends a file that swells in memory, and only that file', async () => {
  const small = new ParserPool({ bufferBytes: 60 * MEGABYTE })
  const bomb = makePdf(new Uint8Array(400 * MEGABYTE).fill(32))
  expect(await parse(bomb, small)).toMatchObject({
    problem: expect.stringMatching(/memory|no text/),
  })
  expect(await parse(PDF, small)).toMatchObject({ document: { kind: 'pdf' } })
  await small.close()
})

test('ends a file that takes too long, and only that file', async () => {
  const hasty = new ParserPool({ timeMs: 4_000 })
  const operators = new TextEncoder().encode('BT /F1 1 Tf (a) Tj ET\n'.repeat(2_000_000))
  expect(await parse(makePdf(operators), hasty)).toMatchObject({
    problem: expect.stringMatching(/too long|memory/),
  })
  const short = () => parse(makeDocx(docxXml([{ text: 'Kısa' }])), hasty)
  await expect.poll(short).toMatchObject({ document: { kind: 'docx' } })
  await hasty.close()
})
