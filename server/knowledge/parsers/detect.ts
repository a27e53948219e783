import type { DocumentKind } from '../schema.ts'

/** A document that cannot be parsed. The message tells the sender what to do. */
export class UnreadableDocument extends Error {
  override name = 'UnreadableDocument'
}

/** The type of a file, by its bytes alone: neither its name nor a declared type counts. */
export type DetectedType =
  | { kind: 'pdf' | 'docx'; text: undefined }
  | { kind: DocumentKind; text: string }

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
const BINARY_SAMPLE_LENGTH = 20_000
const MAX_NOISE = 0.02
const PDF_START_WITHIN = 1_024
const SAMPLE_BYTES = 20_000
const MAX_ASCII_SHARE_OF_NUL = 0.3
/** Every repetition is bounded, so that a hostile file cannot make the match slow. */
const MARKDOWN =
  /^#{1,6} \S|^(?:```|~~~)|^[ \t]{0,20}(?:[-*+]|\d{1,9}\.) \S.*\n[ \t]{0,20}(?:[-*+]|\d{1,9}\.) \S|\]\([^)\s]{1,300}\)|\*\*\S[^\n*]{0,300}\*\*|^\|.{1,500}\|[ \t]{0,20}\n\|[ \t:|-]{1,500}\|/m
const TAG = /<(?:p|div|h[1-6]|table|body|head|article|section|main|ul|ol|br|span|a)[\s/>]/gi
const META_CHARSET = /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w:.-]{2,40})/i

/**
 * Detects the type of a file or a response by its first bytes and its characters. Decodes text from
 * UTF-8, UTF-16, the declared charset, or windows-1254, the Turkish code page.
 * @throws UnreadableDocument for binary and empty files.
 */
export function detectType(bytes: Uint8Array, declaredCharset?: string): DetectedType {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.length === 0) throw new UnreadableDocument('The file is empty. Send one with text.')
  const start = buffer.toString('latin1', 0, PDF_START_WITHIN)
  if (start.includes('%PDF-')) return { kind: 'pdf', text: undefined }
  if (start.startsWith('PK\u0003\u0004')) {
    if (buffer.includes('word/document.xml')) return { kind: 'docx', text: undefined }
    throw new UnreadableDocument(
      'This is a ZIP archive or an Office file of another kind. Save it as PDF or .docx.',
    )
  }
  const text = decode(buffer, declaredCharset)
  const binary = detectBinaryType(text)
  if (binary !== undefined) {
    throw new UnreadableDocument(
      `This is ${binary}. Send Markdown, HTML, plain text, PDF or Word (.docx).`,
    )
  }
  if (text.trim() === '') throw new UnreadableDocument('The file is empty. Send one with text.')
  return { kind: detectTextKind(text), text }
}

function detectTextKind(text: string): DocumentKind {
  const start = text.trimStart().slice(0, SAMPLE_BYTES)
  if (/^<(?:!doctype\s+html|html[\s>])/i.test(start)) return 'html'
  if (start.startsWith('<') && (start.match(TAG)?.length ?? 0) >= 2) return 'html'
  return MARKDOWN.test(start) ? 'markdown' : 'text'
}

/** Decodes text, without its byte order mark. */
export function decode(buffer: Buffer, declared?: string): string {
  const wide = wideCharset(buffer)
  if (wide !== undefined) return new TextDecoder(wide).decode(buffer)
  const looksBinary = detectBinaryType(buffer.toString('latin1', 0, SAMPLE_BYTES)) !== undefined
  if (looksBinary) return buffer.toString('latin1', 0, SAMPLE_BYTES)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer)
  } catch {
    // Not UTF-8: the charset that the server or the page declares, else the Turkish code page.
  }
  const inside = META_CHARSET.exec(buffer.toString('latin1', 0, PDF_START_WITHIN))?.[1]
  for (const label of [declared, inside]) {
    const decoder = label && !/^utf-?8$/i.test(label) ? openDecoder(label) : undefined
    if (decoder) return decoder.decode(buffer)
  }
  return new TextDecoder('windows-1254').decode(buffer)
}

function openDecoder(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}

/** Detects UTF-16 by its byte order mark, or by the zeros in every second byte of Western text. */
function wideCharset(buffer: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return 'utf-16le'
  if (buffer[0] === 0xfe && buffer[1] === 0xff) return 'utf-16be'
  const sample = buffer.subarray(0, 1_000)
  const zeros: [number, number] = [0, 0]
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2 === 0 ? 0 : 1] += 1
  const [even, odd] = zeros
  const many = sample.length * MAX_ASCII_SHARE_OF_NUL
  if (odd > many && even === 0) return 'utf-16le'
  return even > many && odd === 0 ? 'utf-16be' : undefined
}

/** Returns the type of a binary content by its signature and control characters; undefined for text. */
function detectBinaryType(content: string): string | undefined {
  const start = content.trimStart().slice(0, 8)
  const signature = SIGNATURES.find(([bytes]) => start.startsWith(bytes))
  if (signature !== undefined) return signature[1]
  if (content.includes('\0')) return 'a binary file'
  const sample = content.slice(0, BINARY_SAMPLE_LENGTH)
  // oxlint-disable-next-line no-control-regex -- control characters are what gives a binary file away
  const noise = sample.match(/[\u0001-\u0008\u000E-\u001F\u007F\uFFFD]/g)?.length ?? 0
  return noise > 2 && noise > sample.length * MAX_NOISE ? 'a binary file' : undefined
}

function looksLikePage(content: string): boolean {
  return /^\s*(?:<!doctype\s+html|<html[\s>])/i.test(content.slice(0, 500))
}

/**
 * Checks that a content can be parsed as its kind.
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
