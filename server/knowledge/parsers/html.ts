import { Tokenizer } from 'htmlparser2'
import { type Block, introduced, type ParsedDocument } from './blocks.ts'

const DROPPED = new Set(
  'script style nav noscript template svg iframe object canvas select textarea'.split(' '),
)
/** Elements around the content, repeated on every page of a site. */
const BOILERPLATE = new Set(['footer', 'aside'])
const BLOCKS = new Set(
  `address article aside blockquote body caption center dd details dialog div dl dt fieldset
  figcaption figure footer form header hr html legend main menu ol p section summary table tbody
  tfoot thead ul br`.split(/\s+/),
)
const HEADING = /^h[1-6]$/
const ENDS_BLOCK = new Set(['title', 'li', 'summary', 'dt'])
const BOLD = new Set(['b', 'strong'])
/** Below all headings: what opens by a click belongs to the section around it. */
const SUMMARY_DEPTH = 6
const RETAINED_ATTRIBUTES = new Set(['id', 'name', 'content', 'rel', 'href'])
const ROBOTS = /^(?:robots|sohbetbot)$/i

/** The part of a page that is read: all, its `main`, or all but the boilerplate of its site. */
type Extent = 'all' | 'main' | 'without-boilerplate'

/** The block that the next text belongs to. */
interface Target {
  kind: 'paragraph' | 'item' | 'heading' | 'summary' | 'term' | 'title' | 'code' | 'row'
  depth: number
  anchor: string | undefined
  parts: string[]
  /** How many of the parts are the bold words that it begins with; open while they are read, and alone in their line. */
  bold?: { isOpen: boolean; parts: number; isAlone?: boolean }
}

/**
 * Reads the tokens of a page, without a stack of open elements: millions of nested or unclosed tags
 * cost as much as words do.
 */
class PageReader {
  private readonly source: string
  private readonly blocks: Block[] = []
  private title: string | undefined
  private target: Target | undefined
  private rows: string[] | undefined
  /** The term of a description list (`dt`), which its description follows. */
  private term: string | undefined
  private dropped: { name: string; depth: number } | undefined
  private name = ''
  private attribute = ''
  private attributes = new Map<string, string>()
  private robots = ''
  private canonical: string | undefined
  private readonly extent: Extent
  private mains = 0

  constructor(source: string, extent: Extent) {
    this.source = source
    this.extent = extent
  }

  read(): ParsedDocument {
    const ignore = (): void => undefined
    const tokenizer = new Tokenizer(
      { decodeEntities: true },
      {
        ontext: (start, end) => this.text(this.source.slice(start, end)),
        ontextentity: (code) => this.text(String.fromCodePoint(code)),
        onopentagname: (start, end) => this.openName(this.source.slice(start, end).toLowerCase()),
        onattribname: (start, end) => this.attributeName(this.source.slice(start, end)),
        onattribdata: (start, end) => this.attributeValue(this.source.slice(start, end)),
        onattribentity: (code) => this.attributeValue(String.fromCodePoint(code)),
        onattribend: ignore,
        onopentagend: () => this.opened(),
        onselfclosingtag: () => this.opened(),
        onclosetag: (start, end) => this.closed(this.source.slice(start, end).toLowerCase()),
        oncdata: (start, end, offset) => this.text(this.source.slice(start, end - offset)),
        oncomment: ignore,
        ondeclaration: ignore,
        onprocessinginstruction: ignore,
        onend: () => this.flush(),
      },
    )
    tokenizer.write(this.source)
    tokenizer.end()
    this.closeTable()
    this.endTerm()
    const directives = { robots: this.robots, canonical: this.canonical }
    return { title: this.title, blocks: this.blocks, directives }
  }

  private text(text: string): void {
    if (this.dropped !== undefined) return
    this.target ??= { kind: 'paragraph', depth: 0, anchor: undefined, parts: [] }
    this.target.parts.push(text)
  }

  private openName(name: string): void {
    this.name = name
    this.attributes = new Map()
  }

  private attributeName(name: string): void {
    this.attribute = name.toLowerCase()
  }

  private attributeValue(value: string): void {
    const { attribute, attributes } = this
    if (!RETAINED_ATTRIBUTES.has(attribute)) return
    attributes.set(attribute, (attributes.get(attribute) ?? '') + value)
  }

  /** Reads robots directives and the canonical URL in the head. */
  private readDirective(name: string): void {
    const { attributes } = this
    if (name === 'meta' && ROBOTS.test(attributes.get('name') ?? '')) {
      this.robots += ` ${attributes.get('content')?.toLowerCase()}`
    }
    if (name === 'link' && attributes.get('rel')?.toLowerCase() === 'canonical') {
      this.canonical ??= attributes.get('href')
    }
  }

  private isDropped(name: string): boolean {
    return DROPPED.has(name) || (this.extent === 'without-boilerplate' && BOILERPLATE.has(name))
  }

  private opened(): void {
    const { name } = this
    if (this.dropped !== undefined) {
      if (this.dropped.name === name) this.dropped.depth += 1
    } else if (this.isDropped(name)) this.dropped = { name, depth: 1 }
    else if (name === 'meta' || name === 'link') this.readDirective(name)
    else if (this.target?.kind === 'code') return
    else if (HEADING.test(name)) this.start('heading', Number(name.charAt(1)))
    else if (name === 'summary' && this.rows === undefined) this.start('summary')
    else if (name === 'dt' && this.rows === undefined) this.start('term')
    else if (name === 'title') this.start('title')
    else if (name === 'pre') this.start('code')
    else if (name === 'li') this.start('item')
    else if (name === 'table') this.openTable()
    else if (name === 'tr') this.start('row')
    else if (name === 'td' || name === 'th') this.cell()
    else if (name === 'code') this.text('`')
    else if (name === 'main') this.passMain(1)
    else if (BOLD.has(name)) this.beginBold()
    else if (BLOCKS.has(name)) this.breakLine(name)
  }

  private closed(name: string): void {
    if (this.dropped !== undefined) {
      if (this.dropped.name === name) this.dropped.depth -= 1
      if (this.dropped.depth === 0) this.dropped = undefined
    } else if (this.target?.kind === 'code') {
      if (name === 'pre') this.flush()
    } else if (name === 'table') this.closeTable()
    else if (HEADING.test(name) || ENDS_BLOCK.has(name)) this.flush()
    else if (name === 'code') this.text('`')
    else if (name === 'main') this.passMain(-1)
    else if (BOLD.has(name)) this.endBold()
    else if (BLOCKS.has(name)) this.breakLine(name)
  }

  private passMain(step: 1 | -1): void {
    this.closeTable()
    this.mains = Math.max(0, this.mains + step)
  }

  /** A block inside a cell or a heading is a space, not a new paragraph. */
  private breakLine(name: string): void {
    const { bold, parts } = this.target ?? {}
    if (name === 'br' && bold?.isOpen === false && bold.parts === parts?.length) bold.isAlone = true
    const isInLine = this.rows !== undefined || this.target?.kind === 'heading'
    if (isInLine || name === 'br') this.target?.parts.push(' ')
    else this.flush()
  }

  /** Notes the bold words that a paragraph begins with. */
  private beginBold(): void {
    this.target ??= { kind: 'paragraph', depth: 0, anchor: undefined, parts: [] }
    const { kind, parts, bold } = this.target
    if (kind !== 'paragraph' || bold !== undefined) return
    if (parts.every((part) => part.trim() === '')) this.target.bold = { isOpen: true, parts: 0 }
  }

  private endBold(): void {
    const { bold, parts } = this.target ?? {}
    if (bold?.isOpen === true) Object.assign(bold, { isOpen: false, parts: parts?.length ?? 0 })
  }

  private start(kind: Target['kind'], depth = 0): void {
    this.flush()
    this.target = { kind, depth, anchor: this.attributes.get('id') || undefined, parts: [] }
  }

  private openTable(): void {
    if (this.rows === undefined) this.flush()
    this.rows ??= []
  }

  private cell(): void {
    if (this.target?.kind === 'row' && this.target.parts.length > 0) this.target.parts.push(' | ')
  }

  private closeTable(): void {
    this.flush()
    const rows = this.rows ?? []
    this.rows = undefined
    if (rows.length > 0) this.push({ kind: 'table', text: rows.join('\n') })
  }

  private flush(): void {
    const { target } = this
    this.target = undefined
    if (target === undefined) return
    const raw = target.parts.join('')
    if (target.kind === 'code') {
      if (raw.trim() === '' || this.isOutside()) return
      const inside = raw.replace(/^\n+/, '').trimEnd()
      this.push({ kind: 'code', text: `\`\`\`\n${inside}\n\`\`\`` })
      return
    }
    const text = plain(raw)
    if (text === '') return
    if (target.kind === 'title') this.title ??= text
    else if (this.isOutside()) return
    else if (this.rows !== undefined) this.rows.push(`| ${text} |`)
    else if (target.kind === 'term') {
      this.endTerm()
      this.term = text
    } else this.pushText(target, text)
  }

  private isOutside(): boolean {
    return this.extent === 'main' && this.mains === 0
  }

  private pushText({ kind, depth, anchor, parts, bold }: Target, text: string): void {
    if (kind === 'heading') {
      if (depth === 1) this.title ??= text
      this.push({ kind, depth, text, anchor })
    } else if (kind === 'summary') {
      this.push({ kind: 'heading', depth: SUMMARY_DEPTH, text, anchor: undefined, isInText: true })
    } else if (kind === 'item') this.push({ kind, text: `- ${text}` })
    else if (this.term !== undefined) {
      const { term } = this
      this.term = undefined
      this.push(introduced(term, text))
    } else if (bold === undefined) this.push({ kind: 'paragraph', text })
    else {
      const label = plain(parts.slice(0, bold.parts).join(''))
      const rest = text.slice(label.length).trim()
      const isAlone = bold.isAlone === true && rest !== '' && label !== ''
      this.push(isAlone ? introduced(label, rest) : { kind: 'paragraph', text, label })
    }
  }

  private push(block: Block): void {
    this.endTerm()
    this.blocks.push(block)
  }

  /** A term that nothing describes is a paragraph. */
  private endTerm(): void {
    const text = this.term
    this.term = undefined
    if (text !== undefined) this.blocks.push({ kind: 'paragraph', text })
  }
}

/** The text without the marks and breaks of its source. */
const plain = (raw: string): string => raw.replace(/\s+/g, ' ').replaceAll('``', '').trim()

/** Parses a page: headings with their ids, whole `pre` and tables, without scripts and navigation. */
export function readHtml(source: string): ParsedDocument {
  return new PageReader(source, 'all').read()
}

/** Parses a page of a site: its `main` if it has one, else the page without its boilerplate. */
export function readSitePage(source: string): ParsedDocument {
  if (/<main[\s>]/i.test(source)) {
    const page = new PageReader(source, 'main').read()
    if (page.blocks.length > 0) return page
  }
  const page = new PageReader(source, 'without-boilerplate').read()
  return page.blocks.length > 0 ? page : readHtml(source)
}
