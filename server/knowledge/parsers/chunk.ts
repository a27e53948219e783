import { sentences } from '../../lib/text/sentences.ts'
import { slug, type Block, type ParsedDocument } from './blocks.ts'
import { headQuestions } from './questions.ts'
import { readHtml } from './html.ts'
import { readMarkdown } from './markdown.ts'
import { readPlainText } from './plain-text.ts'
import { assertReadable, UnreadableDocument } from './detect.ts'
import type { DocumentKind } from '../schema.ts'

/** Target length of a passage in words. */
export const TARGET_WORDS = 150
/** Upper bound of a passage in words; only code, a table or a last short sentence may exceed it. */
export const MAX_WORDS = 220
const MAX_CHARACTERS = 8_000
const MAX_TABLE_LENGTH = 3_000
const MAX_UNBROKEN_LENGTH = 1_500
const MAX_HEADING_LENGTH = 300
const MAX_ANCHOR_LENGTH = 500
const LONG_WORD = 12
const MAX_PASSAGES = 20_000

/** Separates the headings of a passage, outermost first. */
export const HEADING_SEPARATOR = ' › '

/** Returns a heading's path without a leading page title; a question stands for its whole path. */
export function belowTitle(heading: string, title: string): string {
  if (/[?؟]$/.test(heading)) return heading.split(HEADING_SEPARATOR).at(-1) ?? heading
  const start = `${title}${HEADING_SEPARATOR}`
  return heading.startsWith(start) ? heading.slice(start.length) : heading
}

/** A part of a document; the unit that search returns and answers cite. */
export interface Passage {
  /** Position in the document, from 0. */
  ordinal: number
  /** The headings above the passage, outermost first, joined by ` › `; without headings, the title. */
  heading: string
  /** URL fragment of the start of the passage; null at the top of the page. */
  anchor: string | null
  /** Plain text that retains `code`, fences, `- ` items and table rows; a blank line between blocks. */
  text: string
}

export interface SourceDocument {
  kind: DocumentKind
  title: string
  content: string
}

function parse({ kind, content }: SourceDocument): ParsedDocument {
  const source = content.replace(/^\uFEFF/, '').toWellFormed()
  if (kind === 'html') return readHtml(source)
  return kind === 'markdown' ? readMarkdown(source) : readPlainText(source)
}

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}

/**
 * Returns the length of a block in words. Words of code count half, and text without spaces counts by
 * its characters.
 */
function weightedWordCount(block: Block): number {
  const count = Math.max(countWords(block.text), Math.floor(block.text.length / LONG_WORD))
  return block.kind === 'code' ? Math.ceil(count / 2) : count
}

/** Cuts a text every `size` characters, never through a surrogate pair. */
function cut(text: string, size: number): string[] {
  if (text.length <= size) return [text]
  const pieces: string[] = []
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + size, text.length)
    if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}

function cutProse(text: string): string[] {
  const pieces: string[] = []
  let piece: string[] = []
  let size = 0
  const parts = sentences(text).flatMap((sentence) =>
    countWords(sentence) > MAX_WORDS || sentence.length > MAX_UNBROKEN_LENGTH
      ? sentence.split(' ').flatMap((word) => cut(word, MAX_UNBROKEN_LENGTH))
      : [sentence],
  )
  let length = 0
  for (const part of parts) {
    const count = countWords(part)
    const isFull = size + count > MAX_WORDS || length + part.length > MAX_UNBROKEN_LENGTH * 2
    if (piece.length > 0 && isFull) {
      pieces.push(piece.join(' '))
      piece = []
      size = 0
      length = 0
    }
    piece.push(part)
    size += count
    length += part.length
  }
  if (piece.length > 0) pieces.push(piece.join(' '))
  return pieces
}

/** Groups lines; a group has at most `max` characters. */
function groupLines(lines: readonly string[], max: number): string[] {
  const groups: string[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const line of lines) {
    if (size + line.length > max) {
      groups.push([])
      size = 0
    }
    groups.at(-1)?.push(line)
    size += line.length + 1
  }
  return groups.map((group) => group.join('\n'))
}

/** Cuts code longer than a passage between lines; each part has a fence of its own. */
function cutCode(text: string): string[] {
  const lines = text.split('\n').flatMap((line) => cut(line, MAX_CHARACTERS / 2))
  const opening = lines[0] ?? ''
  const fence = /^(?:`+|~+)/.exec(opening)?.[0] ?? ''
  return groupLines(lines.slice(1, -1), MAX_CHARACTERS).map(
    (body) => `${opening}\n${body}\n${fence}`,
  )
}

/** Cuts a long table between rows; each part repeats the head. */
function cutTable(text: string): string[] {
  const lines = text.split('\n').flatMap((line) => cut(line, MAX_TABLE_LENGTH))
  const hasHead = /^[|:\-\s]+$/.test(lines[1] ?? 'none') && (lines[0] ?? '').length < 300
  const head = hasHead ? `${lines.slice(0, 2).join('\n')}\n` : ''
  return groupLines(hasHead ? lines.slice(2) : lines, MAX_TABLE_LENGTH).map((body) => head + body)
}

function mergeShort(block: Block): Block[] {
  if (block.kind === 'heading') return [block]
  if (block.kind === 'code') {
    if (block.text.length <= MAX_CHARACTERS) return [block]
    return cutCode(block.text).map((text) => ({ kind: 'code', text }))
  }
  if (block.kind === 'table') {
    if (block.text.length <= MAX_TABLE_LENGTH) return [block]
    return cutTable(block.text).map((text) => ({ kind: 'table', text }))
  }
  if (block.text.length <= MAX_UNBROKEN_LENGTH && countWords(block.text) <= MAX_WORDS)
    return [block]
  return cutProse(block.text).map((text) => ({ kind: block.kind, text }))
}

/** Assembles blocks into passages, section by section. */
class PassageBuilder {
  readonly passages: Passage[] = []
  private readonly path: { depth: number; text: string }[] = []
  private readonly slugs = new Map<string, number>()
  private readonly ownTitle: string | undefined
  private top: string
  private anchor: string | null = null
  private blocks: Block[] = []
  private weight = 0
  private isEmptySection = false
  private hasTitle = false
  private isListOfHeadings = false

  constructor(given: string, own: string | undefined) {
    this.ownTitle = own
    this.top = (own ?? given).slice(0, MAX_HEADING_LENGTH + 1)
  }

  add(block: Block): void {
    if (block.kind === 'heading') return this.enter(block)
    const weight = weightedWordCount(block)
    const isWhole = block.kind === 'code' || block.kind === 'table'
    const isFull = this.weight >= TARGET_WORDS || (!isWhole && this.weight + weight > MAX_WORDS)
    if (isFull || (isWhole && this.size() + block.text.length > MAX_CHARACTERS)) this.flush()
    this.blocks.push(block)
    this.weight += weight
  }

  finish(): Passage[] {
    this.flush()
    this.closeSection()
    return this.passages
  }

  private size(): number {
    return this.blocks.reduce((sum, block) => sum + block.text.length, 0)
  }

  private enter(heading: Block & { kind: 'heading' }): void {
    this.flush()
    const isTitle = heading.depth === 1 && this.path.length === 0 && heading.text === this.ownTitle
    if (isTitle && this.passages.length === 0 && !this.hasTitle) {
      this.hasTitle = true
      return
    }
    const parent = this.path.at(-1)
    if (parent === undefined || parent.depth >= heading.depth) this.closeSection()
    while ((this.path.at(-1)?.depth ?? 0) >= heading.depth) this.path.pop()
    // Cut here: every passage of the section repeats its headings and its anchor.
    const text = heading.text.slice(0, MAX_HEADING_LENGTH + 1)
    this.path.push({ depth: heading.depth, text })
    if (heading.isInText !== true) {
      this.anchor = (heading.anchor ?? this.uniqueSlug(heading.text)).slice(0, MAX_ANCHOR_LENGTH)
    }
    this.isEmptySection = true
  }

  private uniqueSlug(text: string): string {
    const base = slug(text)
    const seen = this.slugs.get(base) ?? 0
    this.slugs.set(base, seen + 1)
    return seen === 0 ? base : `${base}-${seen}`
  }

  /** Indexes headings without text too; consecutive ones are one passage. */
  private closeSection(): void {
    const last = this.path.at(-1)
    if (!this.isEmptySection || last === undefined) return
    const before = this.passages.at(-1)
    if (before !== undefined && this.isListOfHeadings && before.text.length < MAX_WORDS) {
      before.text += `\n${last.text}`
    } else this.push(last.text)
    this.isEmptySection = false
    this.isListOfHeadings = true
  }

  private flush(): void {
    const { blocks } = this
    this.blocks = []
    this.weight = 0
    if (blocks.length === 0) return
    let text = ''
    let before: Block | undefined
    for (const block of blocks) {
      const isList = block.kind === 'item' && before?.kind === 'item'
      text += (before === undefined ? '' : isList ? '\n' : '\n\n') + block.text
      before = block
    }
    this.push(text)
  }

  private push(text: string): void {
    this.isEmptySection = false
    this.isListOfHeadings = false
    if (this.passages.length >= MAX_PASSAGES) {
      throw new UnreadableDocument('It has too many sections. Split it into several documents.')
    }
    const path = this.path.map((heading) => heading.text)
    // The document's own title heads its introduction, or else its first section.
    if (this.passages.length === 0 && (path.length === 0 || this.ownTitle !== undefined)) {
      if (path[0] !== this.top) path.unshift(this.top)
    }
    const heading = path.length === 0 ? this.top : path.join(HEADING_SEPARATOR)
    this.passages.push({
      ordinal: this.passages.length,
      heading: cut(heading, MAX_HEADING_LENGTH)[0] ?? '',
      anchor: this.anchor,
      text,
    })
  }
}

/**
 * Splits a document into passages at its headings; long sections at paragraphs, to 150–220 words.
 * Linear in the length of any input, without recursion.
 * @throws UnreadableDocument when the content is not of its kind, or has no text.
 */
export function splitDocument(document: SourceDocument): Passage[] {
  assertReadable(document.kind, document.content)
  return splitBlocks(parse(document), document.title)
}

/** Splits a parsed document; `given` is the title of a document without one of its own. */
export function splitBlocks({ title, blocks }: ParsedDocument, given: string): Passage[] {
  const assembler = new PassageBuilder(given, title)
  for (const block of headQuestions(blocks)) {
    for (const part of mergeShort(block)) assembler.add(part)
  }
  const passages = assembler.finish()
  if (passages.length === 0) {
    throw new UnreadableDocument('There is no text in it. Send a document with words to search.')
  }
  return passages
}
