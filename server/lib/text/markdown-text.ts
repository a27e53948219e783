/** A bare address, code, bold, italic, pictures and links, as the widget reads them: the first that fits wins. */
const INLINE =
  /https?:\/\/[^\s<>"]{1,2000}|`([^`\n]+)`|(?<![\p{L}\p{N}*])\*\*(?=\*?[^\s*])(.+?)\*\*(?!\*)|(?<![\p{L}\p{N}*_/])[*_](?=[^\s*_])([^*_\n]+?)[*_](?![\p{L}\p{N}*_])|!?\[([^[\]\n]*)\]\(([^\s)]{1,2000})\)/gu
const FENCE = /^\s*(?:`{3,}[^`]*|~{3,}[^~]*)$/
const HEADING = /^#{1,6}\s+(?=\S)/

/**
 * Writes the markdown of an answer as plain text, for messaging apps and mails. `bold` is the app's mark around
 * bold text: `*` in WhatsApp, empty by default.
 */
export function textOfMarkdown(markdown: string, bold = ''): string {
  let isCode = false
  const lines = markdown.split(/\r?\n/).flatMap((line) => {
    if (FENCE.test(line)) {
      isCode = !isCode
      return []
    }
    if (isCode) return [line]
    if (HEADING.test(line)) return [`${bold}${inline(line.replace(HEADING, ''), '')}${bold}`]
    return [inline(line.replace(/^(\s*)\*(?=\s)/, '$1-').replace(/^\s*>\s(?!\s*\d)/, ''), bold)]
  })
  return lines.join('\n')
}

/** The plain text of a message: answers of the bot are markdown, other messages are plain text already. */
export function textOfMessage(
  { role, content }: { role: string; content: string },
  bold?: string,
): string {
  return role === 'assistant' ? textOfMarkdown(content, bold) : content
}

function inline(text: string, bold: string): string {
  return text.replace(INLINE, (...found: [string, ...(string | undefined)[]]) => {
    const [all, code, strong, emphasis, label, url] = found
    if (code !== undefined) return code
    if (strong !== undefined) return `${bold}${inline(strong, '')}${bold}`
    if (emphasis !== undefined) return inline(emphasis, '')
    if (url === undefined) return all
    if (all.startsWith('!')) return label ?? ''
    const address = url.replace(/^mailto:/, '')
    return label === undefined || label === '' || label === address
      ? address
      : `${label} (${address})`
  })
}
