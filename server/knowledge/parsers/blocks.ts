/** A structural element of a parsed document of any format. */
export type Block =
  | {
      kind: 'heading'
      depth: number
      text: string
      anchor: string | undefined
      /** A question or a label in the text that heads what follows it; the page has no anchor for it. */
      isInText?: true
    }
  | { kind: 'item'; text: string }
  | {
      kind: 'paragraph'
      text: string
      /** The bold words, or the term, that it begins with: `No hot water:` */
      label?: string
    }
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

/** A paragraph that begins with a label from a line of its own: with a colon, unless that ends in punctuation. */
export function introduced(name: string, rest: string): Block {
  const label = /[.:!?؟…]$/.test(name) ? name : `${name}:`
  return { kind: 'paragraph', text: `${label} ${rest}`, label }
}
