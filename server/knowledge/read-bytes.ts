import type { ParsedDocument } from './blocks.ts'
import { readDocx } from './docx.ts'
import { readHtml } from './html.ts'
import { readMarkdown } from './markdown.ts'
import { type Passage, splitBlocks } from './passages.ts'
import { readPdf } from './pdf.ts'
import { readPlainText } from './plain-text.ts'
import { UnreadableDocument } from './readable.ts'
import { recognise } from './recognise.ts'
import type { FileKind } from './schema.ts'

/** What is to be read, and what is known about it beside its bytes. */
export interface Source {
  bytes: Uint8Array
  /** Stands over the passages where the document has no title of its own. */
  title: string
  /** The charset that a server declared; the bytes themselves are believed first. */
  charset?: string | undefined
}

export type ReadDocument = {
  kind: FileKind
  /** The title that the document gives itself. */
  title: string | undefined
  passages: Passage[]
}

/** What came of reading: the passages, or a sentence for the person whose document it is. */
export type ReadResult = { document: ReadDocument } | { problem: string }

/** Reads a document of any known kind. Runs in a thread of its own: it may take long or fail badly. */
export async function readBytes({ bytes, title, charset }: Source): Promise<ReadResult> {
  try {
    const { kind, parsed } = await parse(bytes, charset)
    return { document: { kind, title: parsed.title, passages: splitBlocks(parsed, title) } }
  } catch (error) {
    if (error instanceof UnreadableDocument) return { problem: error.message }
    return { problem: 'The document could not be read. Save it once more, or as PDF.' }
  }
}

async function parse(
  bytes: Uint8Array,
  charset: string | undefined,
): Promise<{ kind: FileKind; parsed: ParsedDocument }> {
  const found = recognise(bytes, charset)
  if (found.text === undefined) {
    const parsed = found.kind === 'pdf' ? await readPdf(bytes) : readDocx(bytes)
    return { kind: found.kind, parsed }
  }
  const read = { html: readHtml, markdown: readMarkdown, text: readPlainText }[found.kind]
  return { kind: found.kind, parsed: read(found.text) }
}
