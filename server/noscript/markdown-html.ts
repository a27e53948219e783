import { escaped } from '../lib/text/markup.ts'

/** Renders plain text as HTML and keeps its line breaks. */
export const lines = (text: string): string => escaped(text).replaceAll('\n', '<br>')

const LIST_ITEM = /^\s*(?:[-*•]|\d{1,3}[.)])\s+/
const NUMBER = /^\s*\d/

/**
 * Renders the markdown of answers as HTML: paragraphs, lists, headings, bold, code and web links.
 * Other markup stays plain text.
 */
export function renderMarkdown(markdown: string): string {
  const blocks: { tag: string; lines: string[] }[] = []
  for (const line of markdown.split('\n')) {
    const last = blocks.at(-1)
    if (line.trim() === '' || line.startsWith('```')) blocks.push({ tag: 'p', lines: [] })
    else if (LIST_ITEM.test(line)) {
      const tag = NUMBER.test(line) ? 'ol' : 'ul'
      const item = `<li>${inline(line.replace(LIST_ITEM, ''))}</li>`
      if (last?.tag === tag) last.lines.push(item)
      else blocks.push({ tag, lines: [item] })
    } else if (/^#{1,6}\s/.test(line)) {
      blocks.push({ tag: 'p', lines: [`<strong>${inline(line.replace(/^#+\s+/, ''))}</strong>`] })
      blocks.push({ tag: 'p', lines: [] })
    } else if (last?.tag === 'p') last.lines.push(inline(line))
    else blocks.push({ tag: 'p', lines: [inline(line)] })
  }
  return blocks
    .filter((block) => block.lines.length > 0)
    .map(
      ({ tag, lines: inside }) =>
        `<${tag} dir="auto">${inside.join(tag === 'p' ? '<br>' : '')}</${tag}>`,
    )
    .join('')
}

/** Replaces markup in escaped text: the text cannot open a tag, and quotes cannot end an attribute. */
function inline(text: string): string {
  return escaped(text)
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\[([^\]]+)\]\((https?:\/\/[^\s()<>*`]+)\)/g, '<a href="$2" rel="noopener">$1</a>')
}
