import { Component, type VNode } from 'preact'
import type { Citation } from '../../server/chat/schema.ts'
import type { Line } from '../chat/chat.ts'
import { Markdown, safeUrl } from './markdown.tsx'
import type { Strings } from '../locales/strings.ts'
import { Icon } from './icon.tsx'
import type { AppContext } from './app-context.ts'

interface Props {
  line: Line
  /** The operator who wrote it, where that is known. */
  name: string | undefined
  app: AppContext
}

/** One line of the conversation. It is drawn once, and again when its operator's name is known. */
export class Message extends Component<Props> {
  override shouldComponentUpdate({ name }: Props): boolean {
    return !this.props.name && !!name
  }

  override render({ line, name, app }: Props): VNode {
    const { host, ui } = app
    const { strings } = ui
    const isVisitor = line.role === 'visitor'
    if (line.role === 'system' || line.role === 'thanks')
      return (
        <div class={line.role} dir="auto">
          {line.role === 'system' ? line.text : <Markdown text={line.text} />}
        </div>
      )
    return (
      <div class={`line ${line.role}`} part={line.role}>
        <span class="sr">
          {isVisitor ? strings.you : (name ?? host.config?.name ?? strings.title)}:{' '}
        </span>
        <div class="bubble" dir="auto">
          {isVisitor ? line.text : <Markdown text={line.text} />}
        </div>
        {line.citations.length > 0 && (
          <ul class="sources" aria-label={strings.sources}>
            {line.citations.map((citation) => (
              <li key={`${citation.title} ${citation.url}`}>
                <Source citation={citation} strings={strings} />
              </li>
            ))}
          </ul>
        )}
      </div>
    )
  }
}

/** The address of a place on a page, down to the sentence where browsers can find that. */
function placeOn(page: string, anchor: string | null, quote = ''): string {
  const [path, fragment = anchor ?? ''] = page.split('#')
  const sentence = quote && `:~:text=${encodeURIComponent(quote).replaceAll('-', '%2D')}`
  const place = fragment + sentence
  return place ? `${path}#${place}` : page
}

function Source({ citation, strings }: { citation: Citation; strings: Strings }): VNode {
  const { title, heading, anchor, quote } = citation
  const url = safeUrl(citation.url && placeOn(citation.url, anchor, quote))
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
      <span class="sr"> ({strings.newTab})</span>
    </a>
  )
}
