import { deflateSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'

interface DocxParagraph {
  text: string
  /** The id of its style. */
  style?: string
  isItem?: boolean
  /** Bold words before the text. */
  label?: string
}

/** A block of a Word file. */
export type DocxBlock = DocxParagraph | { rows: readonly (readonly string[])[] }

/** Styles of the Turkish Word: the ids are translated, the names are not. */
const STYLES = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
<w:style w:type="paragraph" w:styleId="KonuBal"><w:name w:val="Title"/></w:style>
${[1, 2, 3, 4, 5, 6].map((depth) => `<w:style w:type="paragraph" w:styleId="Balk${depth}"><w:name w:val="heading ${depth}"/></w:style>`).join('')}
</w:styles>`

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function paragraph(block: DocxParagraph): string {
  const style = block.style ? `<w:pStyle w:val="${block.style}"/>` : ''
  const list = block.isItem ? '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>' : ''
  // Word splits a sentence into runs at each edit.
  const half = Math.ceil(block.text.length / 2)
  const runs = [block.text.slice(0, half), block.text.slice(half)]
    .map((text) => `<w:r><w:t xml:space="preserve">${escape(text)}</w:t></w:r>`)
    .join('')
  const label = block.label
    ? `<w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">${escape(block.label)}</w:t></w:r>`
    : ''
  return `<w:p><w:pPr>${style}${list}</w:pPr>${label}${runs}</w:p>`
}

/** Returns the XML of a Word document's body. */
export function docxXml(blocks: readonly DocxBlock[]): string {
  const body = blocks.map((block) => {
    if ('text' in block) return paragraph(block)
    const rows = block.rows.map(
      (cells) =>
        `<w:tr>${cells.map((text) => `<w:tc>${paragraph({ text })}</w:tc>`).join('')}</w:tr>`,
    )
    return `<w:tbl>${rows.join('')}</w:tbl>`
  })
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body.join('')}</w:body></w:document>`
}

/** Returns a Word file, packed like Word's own. */
export function makeDocx(document: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = typeof document === 'string' ? strToU8(document) : document
  return Uint8Array.from(
    zipSync({
      '[Content_Types].xml': strToU8('<Types/>'),
      'word/styles.xml': strToU8(STYLES),
      'word/document.xml': bytes,
    }),
  )
}

/** Returns a PDF of one page with compressed content; `more` adds objects, `trailer` its entries. */
export function makePdf(
  content: Uint8Array,
  options: { trailer?: string; pages?: number } = {},
): Uint8Array<ArrayBuffer> {
  const packed = deflateSync(content)
  const pages = options.pages ?? 1
  const kids = Array.from({ length: pages }, () => '3 0 R').join(' ')
  const objects = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`),
    Buffer.from(
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R ' +
        '/Resources << /Font << /F1 5 0 R >> >> >>',
    ),
    Buffer.concat([
      Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`),
      packed,
      Buffer.from('\nendstream'),
    ]),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'),
  ]
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let at = parts[0]?.length ?? 0
  for (const [index, object] of objects.entries()) {
    const whole = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      object,
      Buffer.from('\nendobj\n'),
    ])
    offsets.push(at)
    at += whole.length
    parts.push(whole)
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R ${options.trailer ?? ''} >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  )
  return Uint8Array.from(Buffer.concat(parts))
}
