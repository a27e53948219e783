/** A structural element of a parsed document of any format. */
export type Block =
  | {
      kind: 'heading'
      depth: number
      text: string
      anchor: string | undefined
      /** A question in the text that heads its answer; the page has no anchor for it. */
      isQuestion?: true
    }
  | { kind: 'paragraph' | 'item'; text: string }
  | { kind: 'code' | 'table'; text: string }

export interface ParsedDocument {
  /** The document's own title, if it has one. */
  title: string | undefined
  blocks: Block[]
  /** Robots directives of a page, in lower case, and its canonical URL. */
  directives?: { robots: string; canonical: string | undefined }
}

/** Returns the anchor that GitHub gives a heading: lower case, hyphens for spaces, without punctuation. */
export function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}
