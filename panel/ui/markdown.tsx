import type { ComponentChildren, VNode } from 'preact'

/* oxlint-disable react/jsx-key -- pieces of a text stay in their order */

/**
 * Code, bold, italic, link, bare address: the first that fits wins. Signs within words are kept, as in
 * `server/lib/text/markdown-text.ts`. An address ends before punctuation, unless in brackets of its own.
 */
const INLINE =
  /`([^`\n]+)`|(?<![\p{L}\p{N}*])\*\*(?=\*?[^\s*])(.+?)\*\*(?!\*)|(?<![\p{L}\p{N}*_/])[*_](?=[^\s*_])([^*_\n]+?)[*_](?![\p{L}\p{N}*_])|\[([^[\]\n]+)\]\(([^\s)]{1,2000})\)|(https?:\/\/(?:\([^\s<>"()]*\)|[^\s<>"()]*[\p{L}\p{N}/#$%&+=@_~-])+)/gu

/** The address when a visitor may be sent there, else undefined. */
export function safeUrl(url: string | null): string | undefined {
  return url !== null && /^(https?:\/\/|mailto:)/i.test(url) ? url : undefined
}

function Link(props: { url: string; children: ComponentChildren }): VNode {
  const url = safeUrl(props.url)
  if (url === undefined) return <>{props.children}</>
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {props.children}
    </a>
  )
}

function inline(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = []
  let from = 0
  for (const match of text.matchAll(INLINE)) {
    const [all, code, bold, italic, label, url, bare] = match
    parts.push(text.slice(from, match.index))
    from = match.index + all.length
    if (code) parts.push(<code>{code}</code>)
    else if (bold) parts.push(<strong>{inline(bold)}</strong>)
    else if (italic) parts.push(<em>{inline(italic)}</em>)
    else if (label && url) parts.push(<Link url={url}>{label}</Link>)
    else if (bare) parts.push(<Link url={bare}>{bare}</Link>)
  }
  parts.push(text.slice(from))
  return parts
}

function lines(block: string[]): ComponentChildren[] {
  return block.flatMap((line, index) => (index > 0 ? [<br />, ...inline(line)] : inline(line)))
}

const FENCE = /^\s*```/
const BULLET = /^\s*[-*+]\s+/
const NUMBER = /^\s*(\d+)[.)]\s+/
const QUOTE = /^\s*>\s?/
const HEADING = /^#{1,6}\s+/
const PARAGRAPH = /^(?!\s*```|\s*[-*+]\s|\s*\d+[.)]\s|\s*>|#{1,6}\s)\s*\S/

/**
 * Markdown as elements: paragraphs, bold, italic, code, fences, lists, quotes, headings (as bold
 * lines), links. Whatever else it holds, HTML included, is shown as the text that it is.
 */
export function Markdown({ text }: { text: string }): VNode {
  const rest = text.split('\n')
  const blocks: VNode[] = []
  const take = (pattern: RegExp): string[] => {
    const end = rest.findIndex((line) => !pattern.test(line))
    return rest.splice(0, end < 0 ? rest.length : end)
  }
  const items = (pattern: RegExp): VNode[] =>
    take(pattern).map((line) => <li>{inline(line.replace(pattern, ''))}</li>)
  while (rest.length > 0) {
    const line = rest[0] ?? ''
    const number = NUMBER.exec(line)
    if (FENCE.test(line)) {
      rest.shift()
      const code = take(/^(?!\s*```)/)
      rest.shift()
      blocks.push(
        <pre>
          <code>{code.join('\n')}</code>
        </pre>,
      )
    } else if (BULLET.test(line)) blocks.push(<ul dir="auto">{items(BULLET)}</ul>)
    else if (number)
      blocks.push(
        <ol dir="auto" start={Number(number[1])}>
          {items(NUMBER)}
        </ol>,
      )
    else if (QUOTE.test(line)) {
      const quoted = take(QUOTE).map((each) => each.replace(QUOTE, ''))
      blocks.push(<blockquote dir="auto">{lines(quoted)}</blockquote>)
    } else if (HEADING.test(line)) {
      blocks.push(
        <p dir="auto">
          <strong>{inline(line.replace(HEADING, ''))}</strong>
        </p>,
      )
      rest.shift()
    } else if (PARAGRAPH.test(line)) blocks.push(<p dir="auto">{lines(take(PARAGRAPH))}</p>)
    else rest.shift()
  }
  return <>{blocks}</>
}
