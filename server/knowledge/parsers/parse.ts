import { gunzipSync } from 'node:zlib'
import type { ParsedDocument } from './blocks.ts'
import { readDocx } from './docx.ts'
import { readHtml, readSitePage } from './html.ts'
import { readMarkdown } from './markdown.ts'
import { type Passage, splitBlocks } from './chunk.ts'
import { readPdf } from './pdf.ts'
import { readPlainText } from './plain-text.ts'
import { decode, detectType, UnreadableDocument } from './detect.ts'
import type { FileKind } from '../schema.ts'
import { NOT_A_SITEMAP, readSitemap, type Sitemap } from './sitemap.ts'

/** The bytes to parse, and their metadata. */
export interface ParseInput {
  bytes: Uint8Array
  /** Heads the passages of a document without a title of its own. */
  title: string
  /** `page`: a page of a site, without the site's boilerplate. `sitemap`: a list of pages. */
  role?: 'page' | 'sitemap'
  /** The charset that a server declared; a charset detected from the bytes takes precedence. */
  charset?: string | undefined
}

export type ParsedFile = {
  kind: FileKind
  /** The document's own title. */
  title: string | undefined
  passages: Passage[]
  /** Robots directives of a page, and its canonical URL. */
  directives: ParsedDocument['directives']
}

/** A parsed document, or a sentence for the owner of the document. */
export type ParseResult =
  | { document: ParsedFile }
  | { problem: string; directives?: ParsedDocument['directives'] }
export type SitemapResult = { sitemap: Sitemap } | { problem: string }

const MAX_SITEMAP_BYTES = 20_000_000

/** Parses a document of any supported kind; returns failures as a problem. Runs in a worker thread. */
export async function parseDocument(source: ParseInput): Promise<ParseResult> {
  let directives: ParsedDocument['directives']
  try {
    const { kind, parsed } = await parse(source)
    directives = parsed.directives
    const passages = splitBlocks(parsed, source.title)
    return { document: { kind, title: parsed.title, passages, directives } }
  } catch (error) {
    return { problem: problemSentence(error), ...(directives ? { directives } : {}) }
  }
}

/** Parses a sitemap, compressed or not; returns failures as a problem. */
export function parseSitemapBytes({ bytes, charset }: ParseInput): SitemapResult {
  try {
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
    const plain = isPacked
      ? gunzipSync(bytes, { maxOutputLength: MAX_SITEMAP_BYTES })
      : Buffer.from(bytes)
    const sitemap = readSitemap(decode(plain, charset))
    return sitemap ? { sitemap } : { problem: NOT_A_SITEMAP }
  } catch (error) {
    const isLarge = error instanceof RangeError
    return { problem: isLarge ? 'The sitemap is too large.' : 'The sitemap is damaged.' }
  }
}

function problemSentence(error: unknown): string {
  if (error instanceof UnreadableDocument) return error.message
  return 'The document could not be read. Save it once more, or as PDF.'
}

async function parse({
  bytes,
  charset,
  role,
}: ParseInput): Promise<{ kind: FileKind; parsed: ParsedDocument }> {
  const found = detectType(bytes, charset)
  if (found.text === undefined) {
    const parsed = found.kind === 'pdf' ? await readPdf(bytes) : readDocx(bytes)
    return { kind: found.kind, parsed }
  }
  const html = role === 'page' ? readSitePage : readHtml
  const read = { html, markdown: readMarkdown, text: readPlainText }[found.kind]
  return { kind: found.kind, parsed: read(found.text) }
}
