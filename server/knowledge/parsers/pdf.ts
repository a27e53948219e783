import { getDocumentProxy } from 'unpdf'
import type { Block, ParsedDocument } from './blocks.ts'
import { groupRuns, type PdfLine, type PdfText, withoutRunningLines } from './pdf-lines.ts'
import { UnreadableDocument } from './detect.ts'

const MAX_PAGES = 2_000
const MAX_CHARACTERS = 8_000_000
const HEADING_SIZE = 1.15
const MAX_HEADING_LENGTH = 160
const MAX_HEADING_DEPTH = 6
/** In font sizes: a wider gap between two lines separates paragraphs. */
const PARAGRAPH_GAP = 1.65
const BULLET = /^[•▪●◦‣·–*-]\s+/

/**
 * Parses a PDF: paragraphs by the gaps between lines, headings by their size, tables by the gaps in
 * lines. A heading's anchor is `page=N`, which browsers open at that page.
 * @throws UnreadableDocument when it is damaged, locked, too long, or holds only pictures.
 */
export async function readPdf(bytes: Uint8Array): Promise<ParsedDocument> {
  const document = await open(bytes)
  if (document.numPages > MAX_PAGES) {
    throw new UnreadableDocument(
      `The PDF has ${document.numPages} pages; at most ${MAX_PAGES} are read. Split it.`,
    )
  }
  const lines: PdfLine[] = []
  let characters = 0
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number)
    for (const line of groupRuns(number, textRuns(await page.getTextContent()))) {
      characters += line.text.length
      lines.push(line)
    }
    page.cleanup()
    if (characters > MAX_CHARACTERS) {
      throw new UnreadableDocument('The PDF holds too much text. Split it into several files.')
    }
  }
  if (!lines.some(({ text }) => /\p{L}/u.test(text))) {
    throw new UnreadableDocument(
      'There is no text in this PDF; it seems to be a scan. Run text recognition (OCR) on it first.',
    )
  }
  const blocks = buildBlocks(withoutRunningLines(lines, document.numPages))
  const [first] = blocks
  const isTitled = first?.kind === 'heading' && first.depth === 1
  return { title: isTitled ? first.text : undefined, blocks }
}

async function open(bytes: Uint8Array) {
  try {
    return await getDocumentProxy(bytes, { verbosity: 0, useSystemFonts: false })
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'PasswordException') {
      throw new UnreadableDocument('The PDF is locked by a password. Send it without one.', {
        cause,
      })
    }
    throw new UnreadableDocument('The PDF is damaged. Export it once more and send that.', {
      cause,
    })
  }
}

type TextContent = Awaited<
  ReturnType<Awaited<ReturnType<Awaited<ReturnType<typeof open>>['getPage']>>['getTextContent']>
>

function* textRuns(content: TextContent): Generator<PdfText> {
  for (const item of content.items) {
    if (!('str' in item)) continue
    const [, , , , x, y] = item.transform.map(Number)
    yield { text: item.str, x: x ?? 0, y: y ?? 0, width: item.width, size: item.height || 1 }
  }
}

/** Returns the font size of most letters. */
function bodySize(lines: readonly PdfLine[]): number {
  const letters = new Map<number, number>()
  for (const { size, text } of lines) {
    const rounded = Math.round(size)
    letters.set(rounded, (letters.get(rounded) ?? 0) + text.length)
  }
  const [max] = [...letters].toSorted((a, b) => b[1] - a[1])
  return max?.[0] ?? 1
}

function isHeading({ size, text, cells }: PdfLine, body: number): boolean {
  const isLarge = Math.round(size) >= body * HEADING_SIZE && cells.length === 1
  return isLarge && text.length <= MAX_HEADING_LENGTH && /\p{L}{2}/u.test(text)
}

function buildBlocks(lines: readonly PdfLine[]): Block[] {
  const body = bodySize(lines)
  const sizes = lines.filter((line) => isHeading(line, body)).map(({ size }) => Math.round(size))
  const ranks = [...new Set(sizes)].toSorted((a, b) => b - a).slice(0, MAX_HEADING_DEPTH)
  const blocks: Block[] = []
  let before: PdfLine | undefined
  let rows: string[][] = []
  /** Lines of the last paragraph or item; joined at its end, so that a paragraph costs linear time. */
  let paragraph: { block: Block; lines: string[] } | undefined

  function endParagraph(): void {
    if (paragraph && paragraph.lines.length > 1) paragraph.block.text = joinLines(paragraph.lines)
    paragraph = undefined
  }

  function startParagraph(block: Block): void {
    endParagraph()
    blocks.push(block)
    paragraph = { block, lines: [block.text] }
  }

  function endTable(): void {
    if (rows.length > 1) {
      const text = rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
      blocks.push({ kind: 'table', text })
    } else for (const cells of rows) blocks.push({ kind: 'paragraph', text: cells.join(' ') })
    rows = []
  }

  for (const line of lines) {
    const last = blocks.at(-1)
    const isContinued = before !== undefined && continuesLine(before, line)
    if (line.cells.length > 1) rows.push(line.cells)
    else {
      endTable()
      if (isHeading(line, body)) {
        const depth = ranks.indexOf(Math.round(line.size)) + 1 || MAX_HEADING_DEPTH
        if (last?.kind === 'heading' && last.depth === depth && isContinued)
          last.text += ` ${line.text}`
        else blocks.push({ kind: 'heading', depth, text: line.text, anchor: `page=${line.page}` })
      } else if (BULLET.test(line.text)) {
        startParagraph({ kind: 'item', text: `- ${line.text.replace(BULLET, '')}` })
      } else if (paragraph && paragraph.block === last && isContinued)
        paragraph.lines.push(line.text)
      else startParagraph({ kind: 'paragraph', text: line.text })
    }
    before = line
  }
  endTable()
  endParagraph()
  return blocks
}

/** Whether a line continues the paragraph of the line before, also across a page break. */
function continuesLine(before: PdfLine, line: PdfLine): boolean {
  if (Math.abs(before.size - line.size) > 1 || before.cells.length > 1) return false
  if (before.page !== line.page)
    return /[\p{Ll},]$/u.test(before.text) && /^\p{Ll}/u.test(line.text)
  const gap = before.y - line.y
  return gap >= 0 && gap < line.size * PARAGRAPH_GAP
}

/** Joins the lines of a paragraph, and a word that was hyphenated between them. */
function joinLines(lines: readonly string[]): string {
  return lines
    .map((line, at) => {
      const next = lines[at + 1]
      if (next === undefined) return line
      const isHyphenated = /\p{Ll}[-\u00AD]$/u.test(line.slice(-4)) && /^\p{Ll}/u.test(next)
      return isHyphenated ? line.slice(0, -1) : `${line} `
    })
    .join('')
}
