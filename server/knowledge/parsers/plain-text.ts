import type { ParsedDocument } from './blocks.ts'

/** Parses plain text: blank lines separate paragraphs; headings are not detected. */
export function readPlainText(source: string): ParsedDocument {
  const blocks: ParsedDocument['blocks'] = []
  let lines: string[] = []
  const flush = (): void => {
    if (lines.length > 0) blocks.push({ kind: 'paragraph', text: lines.join(' ') })
    lines = []
  }
  for (const line of source.split(/\r\n|[\r\n\f]/)) {
    const text = line.replace(/\s+/g, ' ').trim()
    if (text === '') flush()
    else if (/^[-*•] /.test(text)) {
      flush()
      blocks.push({ kind: 'item', text: `- ${text.slice(2)}` })
    } else lines.push(text)
  }
  flush()
  return { title: undefined, blocks }
}
