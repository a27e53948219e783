import { type Block, introduced, type ParsedDocument } from './blocks.ts'
import { cleanInline } from './markdown-inline.ts'

const MAX_MARKER_LINE_LENGTH = 2_000
const MAX_FRONT_MATTER_LINES = 200
const HEADING_COMMENT = /\{\/\*\s*([^*\s{}]{1,200})\s*\*\/\}\s*$/
const ITEM = /^[-*+]\s+|^\d{1,9}[.)]\s+/
const IN_PAGE_LINK = /^\[[^\]]*\]\(#[^)]*\)\.?$/
const LINK_DEFINITION = /^\[[^\]]{1,200}\]:\s*\S/
const BOLD_START = /^(\*\*|__)(?=\S)(.{1,100}?)\1/
const RULE = /^(?:\*[\s*]+|-[\s-]+|_[\s_]+)$/
const TAG_LINE = /^<(\/?)([A-Za-z][\w.-]*)\b[^<>]*>$/
const HTML_HEADING = /^<h([1-6])\b[^<>]*>(.*)<\/h[1-6]>$/i

/** Returns a line without indentation and quotation marks. A loop: a line may have millions of them. */
function withoutQuote(line: string): string {
  let start = 0
  while (start < line.length && ' \t>'.includes(line.charAt(start))) start += 1
  return line.slice(start).trim()
}

/** A paragraph with the bold words that it begins with as its label; a line of them alone introduces the others. */
function paragraphOf([first = '', ...others]: readonly string[], text: string): Block {
  const bold = BOLD_START.exec(first)
  if (bold === null) return { kind: 'paragraph', text }
  const label = cleanInline(bold[2] ?? '')
  const isAlone = bold[0].length === first.trimEnd().length && others.length > 0
  return isAlone
    ? introduced(label, text.slice(label.length).trim())
    : { kind: 'paragraph', text, label }
}

/** Splits Markdown or MDX into blocks in one pass over its lines. */
class MarkdownReader {
  private readonly lines: string[]
  private readonly blocks: Block[] = []
  private readonly lastCommentEnd: number
  private at = 0
  private title: string | undefined
  private hasHeading = false
  private open: { kind: 'paragraph' | 'item'; marker: string; lines: string[] } | undefined

  constructor(source: string) {
    this.lines = source.replace(/\r\n?/g, '\n').split('\n')
    this.lastCommentEnd = this.lines.findLastIndex((line) => line.includes('-->'))
  }

  read(): ParsedDocument {
    this.frontMatter()
    while (this.at < this.lines.length) this.line(this.lines[this.at] ?? '')
    this.flush()
    return { title: this.title, blocks: this.blocks }
  }

  private frontMatter(): void {
    if (this.lines[0]?.trim() !== '---') return
    const end = this.lines
      .slice(1, MAX_FRONT_MATTER_LINES)
      .findIndex((line) => /^---\s*$/.test(line))
    if (end === -1) return
    const matter = this.lines.slice(1, end + 1)
    const line = matter.find((text) => text.startsWith('title:'))
    const value = line?.slice('title:'.length).trim() ?? ''
    const quote = value.charAt(0)
    const isQuoted = value.length > 1 && `'"`.includes(quote) && value.endsWith(quote)
    const text = isQuoted ? value.slice(1, -1).replaceAll(quote + quote, quote) : value
    if (text !== '') this.title = cleanInline(text)
    this.at = end + 2
  }

  private line(raw: string): void {
    const text = withoutQuote(raw)
    const isMarker = text.length <= MAX_MARKER_LINE_LENGTH
    if (text === '') this.flush()
    else if (/^(?:`{3,}[^`]*|~{3,}.*)$/.test(text) && isMarker) return this.fence(text)
    else if (/^#{1,6}(?:\s|$)/.test(text) && isMarker) this.heading(text)
    else if (text.startsWith('<!--') && !text.includes('-->')) return this.comment()
    else if (isMarker && this.marker(text)) this.flush()
    else if (isMarker && this.isTable(text)) return this.table()
    else if (ITEM.test(text)) this.item(raw, text)
    else this.addText(text)
    this.at += 1
  }

  /** Handles a line of markup only; false for other lines. */
  private marker(text: string): boolean {
    if (this.setext(text) || RULE.test(text) || LINK_DEFINITION.test(text)) return true
    const heading = HTML_HEADING.exec(text)
    if (heading !== null) {
      this.addHeading(Number(heading[1]), heading[2] ?? '')
      return true
    }
    return TAG_LINE.test(text)
  }

  private setext(text: string): boolean {
    const before = this.open
    if (before?.kind !== 'paragraph' || before.lines.length !== 1) return false
    if (!/^(?:=+|-{2,})$/.test(text)) return false
    this.open = undefined
    this.addHeading(text.startsWith('=') ? 1 : 2, before.lines[0] ?? '')
    return true
  }

  private heading(text: string): void {
    const depth = text.search(/[^#]|$/)
    const inside = text.slice(depth).trim()
    const closing = inside.search(/(?<![#\s])\s+#+$/)
    this.addHeading(depth, closing === -1 ? inside : inside.slice(0, closing))
  }

  private addHeading(depth: number, source: string): void {
    this.flush()
    const anchor = HEADING_COMMENT.exec(source)?.[1]
    const text = cleanInline(source)
    if (text === '') return
    if (depth === 1 && !this.hasHeading) this.title ??= text
    this.hasHeading = true
    this.blocks.push({ kind: 'heading', depth, text, anchor })
  }

  private comment(): void {
    this.flush()
    this.at += 1
    if (this.at > this.lastCommentEnd) return
    while (!(this.lines[this.at] ?? '').includes('-->')) this.at += 1
    this.at += 1
  }

  /** Reads a fence without its indentation. Leaves out hidden files of MDX. */
  private fence(text: string): void {
    this.flush()
    const mark = text.charAt(0)
    const length = text.search(mark === '`' ? /[^`]|$/ : /[^~]|$/)
    const info = text.slice(length).trim().split(/\s+/)
    const raw = this.lines[this.at] ?? ''
    const prefix = raw.slice(0, raw.indexOf(mark))
    const inside: string[] = []
    for (this.at += 1; this.at < this.lines.length; this.at += 1) {
      const line = this.lines[this.at] ?? ''
      const closing = withoutQuote(line)
      if (closing.length >= length && closing.length < 100 && /^(?:`+|~+)$/.test(closing)) {
        if (closing.startsWith(mark)) break
      }
      inside.push(line.startsWith(prefix) ? line.slice(prefix.length) : line.trimStart())
    }
    this.at += 1
    if (info.includes('hidden')) return
    const fence = mark.repeat(length)
    this.blocks.push({
      kind: 'code',
      text: `${fence}${info[0] ?? ''}\n${inside.join('\n')}\n${fence}`,
    })
  }

  private isTable(text: string): boolean {
    const next = withoutQuote(this.lines[this.at + 1] ?? '')
    return (
      text.includes('|') &&
      next.includes('|') &&
      next.includes('-') &&
      next.length <= MAX_MARKER_LINE_LENGTH &&
      /^[|:\-\s]+$/.test(next)
    )
  }

  private table(): void {
    this.flush()
    const rows: string[] = []
    for (; this.at < this.lines.length; this.at += 1) {
      const text = withoutQuote(this.lines[this.at] ?? '')
      if (!text.includes('|')) break
      rows.push(/^[|:\-\s]+$/.test(text) ? text.replace(/-{4,}/g, '---') : cleanInline(text))
    }
    this.blocks.push({ kind: 'table', text: rows.join('\n') })
  }

  private item(raw: string, text: string): void {
    this.flush()
    const marker = ITEM.exec(text)?.[0] ?? ''
    const rest = text.slice(marker.length)
    // A table of contents repeats the headings; a search would return the list instead of the section.
    if (rest.length <= MAX_MARKER_LINE_LENGTH && IN_PAGE_LINK.test(rest)) return
    const indent = raw.length - raw.trimStart().length >= 2 ? '  ' : ''
    const sign = /^\d/.test(marker) ? `${marker.trim()} ` : '- '
    this.open = { kind: 'item', marker: indent + sign, lines: [rest] }
  }

  private addText(text: string): void {
    this.open ??= { kind: 'paragraph', marker: '', lines: [] }
    this.open.lines.push(text)
  }

  private flush(): void {
    const block = this.open
    this.open = undefined
    if (block === undefined) return
    const text = cleanInline(block.lines.join(' '))
    if (text === '') return
    if (block.kind === 'item') this.blocks.push({ kind: 'item', text: block.marker + text })
    else this.blocks.push(paragraphOf(block.lines, text))
  }
}

/** Parses Markdown or MDX: headings, whole fences and tables, items and paragraphs as plain text. */
export function readMarkdown(source: string): ParsedDocument {
  return new MarkdownReader(source).read()
}
