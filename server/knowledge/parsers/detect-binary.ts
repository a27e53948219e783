export type DocumentKind = 'markdown' | 'html' | 'text'

/** A document that is not what it says. Its message tells the person who sent it what to do. */
export class UnreadableDocument extends Error {
  override name = 'UnreadableDocument'
}

const SIGNATURES: readonly (readonly [start: string, what: string])[] = [
  ['%PDF-', 'a PDF file'],
  ['PK\u0003\u0004', 'a ZIP archive or an Office file'],
  ['PK\u0005\u0006', 'a ZIP archive or an Office file'],
  ['{\\rtf', 'an RTF file'],
  ['\u00D0\u00CF\u0011\u00E0', 'an old Office file'],
  ['\uFFFD\uFFFD\u0011\uFFFD', 'an old Office file'],
  ['\u0089PNG', 'an image'],
  ['\uFFFDPNG', 'an image'],
  ['GIF8', 'an image'],
  ['\u00FF\u00D8\u00FF', 'an image'],
  ['\uFFFD\uFFFD\uFFFD', 'a binary file'],
  ['\u007FELF', 'a program'],
  ['\u001F\u008B', 'a compressed file'],
  ['\u001F\uFFFD', 'a compressed file'],
]
const SAMPLE_LENGTH = 20_000
const MAX_NOISE = 0.02

/** What a content is by its first characters and its alphabet, or undefined when it is text. */
export function detectBinaryType(content: string): string | undefined {
  const start = content.trimStart().slice(0, 8)
  const signature = SIGNATURES.find(([bytes]) => start.startsWith(bytes))
  if (signature !== undefined) return signature[1]
  if (content.includes('\0')) return 'a binary file'
  const sample = content.slice(0, SAMPLE_LENGTH)
  // oxlint-disable-next-line no-control-regex -- control characters are what gives a binary file away
  const noise = sample.match(/[\u0001-\u0008\u000E-\u001F\u007F\uFFFD]/g)?.length ?? 0
  return noise > 2 && noise > sample.length * MAX_NOISE ? 'a binary file' : undefined
}

function looksLikePage(content: string): boolean {
  return /^\s*(?:<!doctype\s+html|<html[\s>])/i.test(content.slice(0, 500))
}

/**
 * Lets through what can be read as its kind says.
 * @throws UnreadableDocument for a binary file, a page sent as text, or text sent as a page.
 */
export function assertReadable(kind: DocumentKind, content: string): void {
  const binary = detectBinaryType(content)
  if (binary !== undefined) {
    throw new UnreadableDocument(`This is ${binary}, not ${kind}. Save it as text and send that.`)
  }
  if (content.trim() === '') {
    throw new UnreadableDocument('The document is empty. Send one with text in it.')
  }
  if (kind === 'html' && !/<[a-z!/][^<]*>/i.test(content)) {
    throw new UnreadableDocument('There is no HTML in it. Send it as kind "text" or "markdown".')
  }
  if (kind !== 'html' && looksLikePage(content)) {
    throw new UnreadableDocument('This is an HTML page. Send it as kind "html".')
  }
}
