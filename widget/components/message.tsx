import { Component, type VNode } from 'preact'
import type { Citation } from '../../server/chat/schema.ts'
import type { Said } from '../chat.ts'
import { Markdown, safeUrl } from '../markdown.tsx'
import type { Words } from '../words.ts'
import { Icon } from './icon.tsx'
import type { View } from './view.ts'

interface Props {
  line: Said
  view: View
}

/** One line of the conversation. It never changes, so it is drawn once. */
export class Message extends Component<Props> {
  override shouldComponentUpdate(): boolean {
    return false
  }

  override render({ line, view }: Props): VNode {
    const { words, config } = view
    const isVisitor = line.role === 'visitor'
    if (line.role === 'system' || line.role === 'thanks')
      return (
        <p class={line.role} dir="auto">
          {line.text}
        </p>
      )
    return (
      <div class={`line ${line.role}`} part={line.role}>
        <div class="bubble" dir="auto">
          <span class="sr">{isVisitor ? words.you : (config?.name ?? words.title)}: </span>
          {isVisitor ? line.text : <Markdown text={line.text} />}
        </div>
        {line.citations.length > 0 && (
          <ul class="sources" aria-label={words.sources}>
            {line.citations.map((citation) => (
              <li key={`${citation.title} ${citation.url}`}>
                <Source citation={citation} words={words} />
              </li>
            ))}
          </ul>
        )}
      </div>
    )
  }
}

function Source({ citation, words }: { citation: Citation; words: Words }): VNode {
  const { title, heading, anchor } = citation
  const page = safeUrl(citation.url)
  const url = page && anchor && !page.includes('#') ? `${page}#${anchor}` : page
  const label = (
    <>
      <Icon name="page" />
      <span dir="auto">{heading === title ? title : `${title} › ${heading}`}</span>
    </>
  )
  return url === undefined ? (
    <p>{label}</p>
  ) : (
    <a href={url} target="_blank" rel="noopener">
      {label}
      <span class="sr"> ({words.newTab})</span>
    </a>
  )
}
