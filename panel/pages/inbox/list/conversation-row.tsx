import type { VNode } from 'preact'
import type { InboxSession } from '../../../../server/inbox/schema.ts'
import { useApp } from '../../../app/app-context.ts'
import type { Format } from '../../../app/language/format.ts'
import { BASE } from '../../../app/router.ts'
import type { Words } from '../../../locales/en/inbox.ts'
import { Badge, lettersOf, type Tone } from '../../../ui/page.tsx'
import { holderOf, nameOf, waitOf } from '../people.ts'

const MINUTE_MS = 60_000
/** Letters that fit beside the time, in a line, and in a badge, in the narrowest list. */
const FITTING = { name: 14, preview: 24, badge: 14 }

/** Properties of a row besides its conversation. */
export interface RowContext {
  words: Words
  format: Format
  userId: string | undefined
  /** The filters, which the thread's address keeps. */
  search: string
  selected: string | undefined
  /** The names of the sites by id; empty where there is only one. */
  sites: ReadonlyMap<string, string>
}

/**
 * Draws one conversation of the list. Not a component, and of few elements: a fast scroll draws two of
 * them in each frame.
 */
export function drawConversation(row: InboxSession, context: RowContext): VNode {
  const { words, format, search, selected, sites } = context
  const { last_message: last, unread } = row
  const name = nameOf(row, words)
  const at = last?.created_at ?? row.updated_at
  const { tone, text } = stateOf(row, context)
  const site = sites.get(row.tenant_id)
  const preview =
    last === null ? words.noMessages : (speaker(last.role, words) ?? '') + withoutMarks(last)
  return (
    <a
      class={unread > 0 ? 'conversation unread' : 'conversation'}
      href={`${BASE}/inbox/${row.session_id}${search}`}
      aria-current={row.session_id === selected ? 'true' : undefined}
    >
      <span class="avatar" aria-hidden="true">
        {lettersOf(name)}
      </span>
      <b class={clipped(name, FITTING.name)}>{name}</b>
      <time class="soft small" dateTime={at}>
        {format.ago(at)}
      </time>
      <span class={`preview ${clipped(preview, FITTING.preview)}`}>{preview}</span>
      <span class="marks">
        <span class={`badge ${tone} ${clipped(text, FITTING.badge)}`}>{text}</span>
        {site !== undefined && <span class="soft small ellipsis">{site}</span>}
        {row.tags.slice(0, 2).map((tag) => (
          <span key={tag} class={`badge plain ${clipped(tag, FITTING.badge)}`}>
            {tag}
          </span>
        ))}
        {unread > 0 && (
          <span class="unread-count">
            {unread}
            <span class="visually-hidden"> {words.unread(unread)}</span>
          </span>
        )}
      </span>
    </a>
  )
}

function clipped(text: string, fitting: number): string {
  return text.length > fitting ? 'long' : ''
}

function speaker(role: string, words: Words): string | undefined {
  if (role === 'operator') return `${words.team}: `
  return role === 'assistant' ? `${words.bot}: ` : undefined
}

function stateOf(
  row: InboxSession,
  { words, format, userId }: Pick<RowContext, 'words' | 'format' | 'userId'>,
): { tone: Tone; text: string } {
  if (row.state === 'operator') {
    return { tone: 'accent', text: holderOf(row, userId, words) ?? words.states.operator }
  }
  const wait = row.state === 'waiting' ? waitOf(row) : undefined
  return {
    tone: row.state === 'waiting' ? 'warn' : 'plain',
    text:
      wait === undefined
        ? words.states[row.state]
        : words.waitingFor(format.duration(Math.max(MINUTE_MS, wait))),
  }
}

/** The state of a conversation, as a badge. */
export function StateBadge({ row, words }: { row: InboxSession; words: Words }): VNode {
  const { format, session } = useApp()
  const userId = session.me.value?.user.id
  const { tone, text } = stateOf(row, { words, format: format.value, userId })
  return <Badge tone={tone}>{text}</Badge>
}

/** The text of a message without marks of Markdown, which only answers of the bot have. */
function withoutMarks({ role, content }: { role: string; content: string }): string {
  return role === 'assistant' ? content.replaceAll(/\*\*|`/g, '') : content
}
