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
import { readSitemap, type Sitemap } from './sitemap.ts'

/** What is to be read, and what is known about it beside its bytes. */
export interface Source {
  bytes: Uint8Array
  /** Stands over the passages where the document has no title of its own. */
  title: string
  /** A page of a site, of which only its own content counts, or a list of pages. */
  role?: 'page' | 'sitemap'
  /** The charset that a server declared; the bytes themselves are believed first. */
  charset?: string | undefined
}

export type ParsedFile = {
  kind: FileKind
  /** The title that the document gives itself. */
  title: string | undefined
  passages: Passage[]
  /** What a page says to robots, and which address it says it has. */
  directives: ParsedDocument['directives']
}

/** What came of reading, or a sentence for the person whose document it is. */
export type ParseResult =
  | { document: ParsedFile }
  | { problem: string; directives?: ParsedDocument['directives'] }
export type SitemapResult = { sitemap: Sitemap } | { problem: string }

const MAX_SITEMAP_BYTES = 20_000_000
const NO_SITEMAP = 'This is no sitemap. Give the address of a sitemap.xml, or add the page itself.'

/** Reads a document of any known kind. Runs in a thread of its own: it may take long or fail badly. */
export async function parseDocument(source: Source): Promise<ParseResult> {
  let directives: ParsedDocument['directives']
  try {
    const { kind, parsed } = await parse(source)
    directives = parsed.directives
    const passages = splitBlocks(parsed, source.title)
    return { document: { kind, title: parsed.title, passages, directives } }
  } catch (error) {
    return { problem: problemOf(error), ...(directives ? { directives } : {}) }
  }
}

/** Reads a list of pages, compressed or not. */
export function parseSitemapBytes({ bytes, charset }: Source): SitemapResult {
  try {
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
    const plain = isPacked
      ? gunzipSync(bytes, { maxOutputLength: MAX_SITEMAP_BYTES })
      : Buffer.from(bytes)
    const sitemap = readSitemap(decode(plain, charset))
    return sitemap ? { sitemap } : { problem: NO_SITEMAP }
  } catch (error) {
    const isLarge = error instanceof RangeError
    return { problem: isLarge ? 'The sitemap is too large.' : 'The sitemap is damaged.' }
  }
}

function problemOf(error: unknown): string {
  if (error instanceof UnreadableDocument) return error.message
  return 'The document could not be read. Save it once more, or as PDF.'
}

async function parse({
  bytes,
  charset,
  role,
}: Source): Promise<{ kind: FileKind; parsed: ParsedDocument }> {
  const found = detectType(bytes, charset)
  if (found.text === undefined) {
    const parsed = found.kind === 'pdf' ? await readPdf(bytes) : readDocx(bytes)
    return { kind: found.kind, parsed }
  }
  const html = role === 'page' ? readSitePage : readHtml
  const read = { html, markdown: readMarkdown, text: readPlainText }[found.kind]
  return { kind: found.kind, parsed: read(found.text) }
}
