import type { Block, ParsedDocument } from './blocks.ts'
import { unpackParts } from './docx-parts.ts'
import { UnreadableDocument } from './detect.ts'
import { readXml, type XmlListener } from './xml.ts'

const DOCUMENT = 'word/document.xml'
const STYLES = 'word/styles.xml'
const MAX_HEADING_DEPTH = 6
/** Values of a property that is switched off. */
const OFF = new Set(['0', 'false', 'off', 'none'])
/** A text box is in the file twice, and moved text is at its old position too. */
const DROPPED = new Set(['mc:Fallback', 'w:moveFrom', 'w:del'])

/** Returns heading depths by style id: ids differ by language (`Heading1`, `Balk1`), names do not. */
function readStyles(source: string): Map<string, number> {
  const depths = new Map<string, number>()
  let id = ''
  readXml(source, {
    open(name, attributes) {
      const value = attributes.get('w:val')
      if (name === 'w:style') id = attributes.get('w:styleId') ?? ''
      else if (name === 'w:name') {
        const depth = /^heading ([1-9])$/i.exec(value ?? '')?.[1]
        if (depth !== undefined) depths.set(id, Number(depth))
        else if (/^title$/i.test(value ?? '')) depths.set(id, 0)
      } else if (name === 'w:outlineLvl' && !depths.has(id)) depths.set(id, Number(value) + 1)
    },
    close: () => undefined,
    text: () => undefined,
  })
  return depths
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()

class DocumentReader implements XmlListener {
  readonly blocks: Block[] = []
  title: string | undefined
  readonly #styles: ReadonlyMap<string, number>
  #text = ''
  #depth: number | undefined
  #isItem = false
  /** The bold words that the paragraph begins with; whole once another run has begun. */
  #label = ''
  #isRun = false
  #isBold = false
  #isText = false
  #dropped: { name: string; depth: number } | undefined
  #tables = 0
  /** Paragraphs by row and cell; joined at the end of the table, so that a cell costs linear time. */
  #rows: string[][][] = []

  constructor(styles: ReadonlyMap<string, number>) {
    this.#styles = styles
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    const value = attributes.get('w:val')
    if (this.#dropped) {
      if (this.#dropped.name === name) this.#dropped.depth += 1
    } else if (DROPPED.has(name)) this.#dropped = { name, depth: 1 }
    else if (name === 'w:t') this.#isText = true
    else if (name === 'w:r') {
      this.#isRun = true
      this.#isBold = false
    } else if (name === 'w:b' && this.#isRun) this.#isBold = !OFF.has(value ?? '')
    else if (name === 'w:p') this.#endParagraph()
    else if (name === 'w:tab' || name === 'w:br' || name === 'w:cr') this.#text += ' '
    else if (name === 'w:noBreakHyphen') this.#text += '-'
    else if (name === 'w:pStyle') this.#depth = this.#styles.get(value ?? '')
    else if (name === 'w:outlineLvl') this.#depth ??= Number(value) + 1
    else if (name === 'w:numPr') this.#isItem = true
    else if (name === 'w:tbl') {
      this.#endParagraph()
      this.#tables += 1
    } else if (name === 'w:tr') this.#rows.push([])
    else if (name === 'w:tc') this.#rows.at(-1)?.push([])
  }

  close(name: string): void {
    if (this.#dropped) {
      if (this.#dropped.name === name) this.#dropped.depth -= 1
      if (this.#dropped.depth === 0) this.#dropped = undefined
    } else if (name === 'w:t') this.#isText = false
    else if (name === 'w:r') this.#isRun = false
    else if (name === 'w:p') this.#endParagraph()
    else if (name === 'w:tbl') {
      this.#tables -= 1
      if (this.#tables <= 0) this.#endTable()
    }
  }

  text(text: string): void {
    if (!this.#isText || this.#dropped) return
    if (this.#isBold && this.#label.length === this.#text.length) this.#label += text
    this.#text += text
  }

  finish(): void {
    this.#endParagraph()
    this.#endTable()
  }

  #endParagraph(): void {
    const text = plain(this.#text)
    const depth = this.#depth
    const isItem = this.#isItem
    const label = plain(this.#label)
    this.#text = ''
    this.#label = ''
    this.#depth = undefined
    this.#isItem = false
    if (text === '') return
    const row = this.#tables > 0 ? this.#rows.at(-1) : undefined
    if (row) {
      if (row.length === 0) row.push([])
      row.at(-1)?.push(text)
    } else if (depth === 0) {
      this.title ??= text
      this.blocks.push({ kind: 'heading', depth: 1, text, anchor: undefined })
    } else if (depth !== undefined && depth <= MAX_HEADING_DEPTH) {
      if (depth === 1) this.title ??= text
      this.blocks.push({ kind: 'heading', depth, text, anchor: undefined })
    } else if (isItem) this.blocks.push({ kind: 'item', text: `- ${text}` })
    else this.blocks.push({ kind: 'paragraph', text, ...(label === '' ? {} : { label }) })
  }

  #endTable(): void {
    const rows = this.#rows.filter((row) => row.some((cell) => cell.length > 0))
    this.#rows = []
    this.#tables = 0
    if (rows.length === 0) return
    const text = rows
      .map((row) => `| ${row.map((cell) => cell.join(' ')).join(' | ')} |`)
      .join('\n')
    this.blocks.push({ kind: 'table', text })
  }
}

/**
 * Parses a Word file: headings by their styles, lists and tables.
 * @throws UnreadableDocument when it is damaged, too large, or holds no text.
 */
export function readDocx(bytes: Uint8Array): ParsedDocument {
  const parts = unpackParts(bytes, [DOCUMENT, STYLES])
  const document = parts.get(DOCUMENT)
  if (document === undefined || !document.includes('<w:document')) {
    throw new UnreadableDocument('The Word file is damaged. Save it once more and send that.')
  }
  const reader = new DocumentReader(readStyles(parts.get(STYLES) ?? ''))
  readXml(document, reader)
  reader.finish()
  if (reader.blocks.length === 0) {
    throw new UnreadableDocument('There is no text in this Word file, only pictures or nothing.')
  }
  return { title: reader.title, blocks: reader.blocks }
}
