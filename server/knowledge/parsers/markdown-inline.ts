const MAX_CODE_LENGTH = 1_000
const MAX_TAG_LENGTH = 4_000
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}
const PUNCTUATION = /[!-/:-@[-`{-~]/
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/iy
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

/** Returns the character of an entity; undefined for an unknown entity. */
function decodeEntity(match: RegExpExecArray): string | undefined {
  const [, decimal, hex, name] = match
  if (name !== undefined) return ENTITIES[name.toLowerCase()]
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  return code >= 32 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff)
    ? String.fromCodePoint(code)
    : undefined
}

/** Reads a text in one pass; every lookahead is bounded, or skips the text it has read. */
class InlineReader {
  private readonly source: string
  private readonly out: string[] = []
  private readonly brackets: number[] = []
  private at = 0
  private readonly lastCommentEnd: number

  constructor(source: string) {
    this.source = source
    this.lastCommentEnd = source.lastIndexOf('*/}')
  }

  read(): string {
    while (this.at < this.source.length) this.step()
    return this.out.join('').replace(/\s+/g, ' ').trim()
  }

  private step(): void {
    const { source } = this
    const char = source.charAt(this.at)
    if (char === '`') this.code()
    else if (char === '\\') this.escape()
    else if (char === '<') this.tag()
    else if (char === '[') this.openBracket(1)
    else if (char === '!' && source.charAt(this.at + 1) === '[') this.openBracket(2)
    else if (char === ']') this.closeBracket()
    else if (char === '*' || char === '_' || char === '~') this.emphasis(char)
    else if (char === '&') this.entity()
    else if (char === '{' && this.comment()) return
    else this.plain()
  }

  private plain(): void {
    const start = this.at
    this.at += 1
    while (this.at < this.source.length && !'`\\<[]!*_~&{'.includes(this.source.charAt(this.at))) {
      this.at += 1
    }
    this.out.push(this.source.slice(start, this.at))
  }

  private code(): void {
    let end = this.at
    while (this.source.charAt(end) === '`') end += 1
    const ticks = this.source.slice(this.at, end)
    const ahead = this.source.slice(end, end + MAX_CODE_LENGTH)
    let close = ticks.length > 8 ? -1 : ahead.indexOf(ticks)
    while (close !== -1 && ahead.charAt(close + ticks.length) === '`') {
      let next = close + ticks.length
      while (ahead.charAt(next) === '`') next += 1
      close = ahead.indexOf(ticks, next)
    }
    if (close === -1) {
      this.out.push(ticks)
      this.at = end
    } else {
      this.out.push(ticks, ahead.slice(0, close), ticks)
      this.at = end + close + ticks.length
    }
  }

  private escape(): void {
    const next = this.source.charAt(this.at + 1)
    this.out.push(PUNCTUATION.test(next) ? next : `\\${next}`)
    this.at += 2
  }

  private tag(): void {
    const next = this.source.charAt(this.at + 1)
    if (!/[a-z/!]/i.test(next)) {
      this.out.push('<')
      this.at += 1
      return
    }
    const stop = this.at + MAX_TAG_LENGTH
    let end = this.at + 1
    while (end < stop && end < this.source.length && !'<>'.includes(this.source.charAt(end))) {
      end += 1
    }
    const inside = this.source.slice(this.at + 1, end)
    if (this.source.charAt(end) !== '>') this.out.push('<', inside)
    else if (/^(?:https?:|mailto:)/i.test(inside)) this.out.push(inside)
    else if (/^br\b/i.test(inside)) this.out.push(' ')
    this.at = this.source.charAt(end) === '>' ? end + 1 : end
  }

  private openBracket(length: 1 | 2): void {
    this.brackets.push(this.out.length)
    this.out.push(length === 2 ? '![' : '[')
    this.at += length
  }

  private closeBracket(): void {
    const open = this.brackets.pop()
    const next = this.source.charAt(this.at + 1)
    const end = next === '(' ? this.endOfTarget(this.at + 2) : this.endOfReference(next)
    if (open === undefined || end === undefined) {
      this.out.push(']')
      this.at += 1
    } else {
      this.out[open] = ''
      this.at = end
    }
  }

  /** Returns the end of a link's target. Stops at a bracket, so that the lookaheads never overlap. */
  private endOfTarget(start: number): number | undefined {
    let depth = 1
    for (let end = start; end < this.source.length; end += 1) {
      const char = this.source.charAt(end)
      if (char === '[' || char === ']') return undefined
      if (char === '(') depth += 1
      if (char === ')') depth -= 1
      if (depth === 0) return end + 1
    }
    return undefined
  }

  private endOfReference(next: string): number | undefined {
    if (next !== '[') return undefined
    const end = this.source.slice(this.at + 2, this.at + 202).search(/[[\]]/)
    return end !== -1 && this.source.charAt(this.at + 2 + end) === ']'
      ? this.at + end + 3
      : undefined
  }

  private emphasis(char: string): void {
    const before = this.source.charAt(this.at - 1)
    let end = this.at
    while (this.source.charAt(end) === char) end += 1
    const after = this.source.charAt(end)
    const isInWord = LETTER_OR_DIGIT.test(before) && LETTER_OR_DIGIT.test(after)
    const isAlone = (before === '' || /\s/.test(before)) && (after === '' || /\s/.test(after))
    const isTilde = char === '~' && end - this.at !== 2
    if ((char === '_' && isInWord) || isAlone || isTilde) {
      this.out.push(this.source.slice(this.at, end))
    }
    this.at = end
  }

  private entity(): void {
    ENTITY.lastIndex = this.at
    const match = ENTITY.exec(this.source)
    const decoded = match === null ? undefined : decodeEntity(match)
    this.out.push(decoded ?? '&')
    this.at += decoded === undefined ? 1 : (match?.[0].length ?? 1)
  }

  /** Skips an MDX comment; false if there is none. */
  private comment(): boolean {
    if (!this.source.startsWith('{/*', this.at) || this.at > this.lastCommentEnd) return false
    this.at = this.source.indexOf('*/}', this.at) + 3
    return true
  }
}

/**
 * Converts inline Markdown and MDX to plain text: words of links and images, without tags and
 * emphasis; `code` spans stay as they are. Linear in the length of the text.
 */
export function cleanInline(source: string): string {
  return new InlineReader(source).read()
}
