/** What a document is made of, whichever language it was written in. */
export type Block =
  | { kind: 'heading'; depth: number; text: string; anchor: string | undefined }
  | { kind: 'paragraph' | 'item'; text: string }
  | { kind: 'code' | 'table'; text: string }

export interface ParsedDocument {
  /** The title the document gives itself, if it has one. */
  title: string | undefined
  blocks: Block[]
  /** What a page says to robots, in lower case, and which address it says it has. */
  directives?: { robots: string; canonical: string | undefined }
}

/** The anchor that GitHub gives a heading: lower case, spaces to hyphens, no punctuation. */
export function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}
