import type { ComponentChildren, VNode } from 'preact'
import type { Conversation, InboxMessage, Note } from '../../../../server/inbox/schema.ts'
import { useApp } from '../../../app/app-context.ts'
import type { Words } from '../../../locales/en/inbox.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Markdown, safeUrl } from '../../../ui/markdown.tsx'
import type { PendingReply } from './thread.ts'

type Feedback = Conversation['feedback'][number]
type Citation = InboxMessage['citations'][number]

interface Attachment {
  attachment_id: string
  name: string
  media_type: string
  bytes: number
  url: string
}

function Bubble({
  kind,
  by,
  at,
  children,
}: {
  kind: string
  by: ComponentChildren
  at?: string
  children: ComponentChildren
}): VNode {
  const { format } = useApp()
  return (
    <article class={`bubble ${kind}`}>
      <header class="soft">
        {by}
        {at && (
          <time dateTime={at} title={format.value.dateTime(at)}>
            {format.value.time(at)}
          </time>
        )}
      </header>
      {children}
    </article>
  )
}

/** A message of any role, with its sources, files and thumb. */
export function Message({
  message,
  feedback,
  visitor,
  words,
}: {
  message: InboxMessage & { attachments?: readonly Attachment[] }
  feedback: Feedback | undefined
  visitor: string
  words: Words
}): VNode {
  const { role, content, citations, author, created_at: at } = message
  const { format, session } = useApp()
  if (role === 'system') {
    return (
      <p class="system soft small" title={format.value.dateTime(at)}>
        {content}
      </p>
    )
  }
  const isMine = author !== null && author.user_id === session.me.value?.user.id
  // The text of a file is its name.
  const isFile = message.attachments?.[0]?.name === content
  const by = { visitor, assistant: words.bot, operator: author?.name || words.team }[role]
  return (
    <Bubble kind={role} by={<b>{isMine ? words.you : by}</b>} at={at}>
      {!isFile && (
        <div class="text" dir="auto">
          {role === 'visitor' ? <PlainText text={content} /> : <Markdown text={content} />}
        </div>
      )}
      {message.attachments?.map((file) => (
        <Attached key={file.attachment_id} file={file} />
      ))}
      {citations.length > 0 && <Sources citations={citations} words={words} />}
      {feedback && <Thumb feedback={feedback} words={words} />}
    </Bubble>
  )
}

/** A visitor's text, verbatim, with its URLs as links. */
function PlainText({ text }: { text: string }): VNode {
  const parts = text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]'’])/)
  return (
    <p class="plain-text">
      {parts.map((part, index) => {
        const url = index % 2 === 1 ? safeUrl(part) : undefined
        return url === undefined ? (
          part
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- pieces of a text stay in their order
          <a key={index} href={url} target="_blank" rel="noopener noreferrer">
            {part}
          </a>
        )
      })}
    </p>
  )
}

function Attached({ file }: { file: Attachment }): VNode {
  const { format } = useApp()
  return (
    <a class="attached" href={file.url} target="_blank" rel="noopener noreferrer">
      {file.media_type.startsWith('image/') ? (
        <img src={file.url} alt={file.name} loading="lazy" />
      ) : (
        <>
          <Icon name="file" />
          {file.name} <span class="soft">{format.value.bytes(file.bytes)}</span>
        </>
      )}
    </a>
  )
}

export function Sources({ citations, words }: { citations: Citation[]; words: Words }): VNode {
  return (
    <details class="sources small">
      <summary>{words.sources(citations.length)}</summary>
      <ul>
        {citations.map((citation) => {
          const { title, heading, url, anchor, quote } = citation
          const address = safeUrl(url)
          const name = heading && heading !== title ? `${title} › ${heading}` : title
          return (
            <li key={`${url} ${anchor} ${heading}`}>
              {address === undefined ? (
                name
              ) : (
                <a
                  href={anchor ? `${address}#${anchor}` : address}
                  target="_blank"
                  rel="noopener noreferrer"
                >
                  {name}
                </a>
              )}
              {quote && <p class="soft">{quote}</p>}
            </li>
          )
        })}
      </ul>
    </details>
  )
}

function Thumb({ feedback, words }: { feedback: Feedback; words: Words }): VNode {
  const isUp = feedback.rating > 3
  return (
    <p class={isUp ? 'thumb good' : 'thumb wrong'}>
      <Icon name={isUp ? 'thumbUp' : 'thumbDown'} />
      <span class={feedback.comment ? undefined : 'visually-hidden'}>
        {feedback.comment ?? (isUp ? words.helpful : words.notHelpful)}
      </span>
    </p>
  )
}

export function NoteBubble({ note, words }: { note: Note; words: Words }): VNode {
  const { session } = useApp()
  const isMine = note.author !== null && note.author.user_id === session.me.value?.user.id
  const author = isMine ? words.you : note.author?.name || words.team
  return (
    <Bubble kind="note" at={note.created_at} by={<b>{words.noteBy(author)}</b>}>
      <p class="plain-text text" dir="auto">
        {note.text}
      </p>
    </Bubble>
  )
}

/** A reply that is on its way, or that could not be sent and waits for a decision. */
export function PendingBubble({
  reply,
  words,
  onAgain,
  onDrop,
}: {
  reply: PendingReply
  words: Words
  onAgain: () => unknown
  onDrop: () => void
}): VNode {
  return (
    <Bubble kind="operator pending" by={<b>{words.you}</b>}>
      <div class="text" dir="auto">
        <Markdown text={reply.text} />
      </div>
      {reply.hasFailed ? (
        <div class="row" role="alert">
          <span class="not-sent">{words.notSent}</span>
          <Button small onPress={onAgain}>
            {words.sendAgain}
          </Button>
          <Button small kind="plain" onPress={onDrop}>
            {words.discard}
          </Button>
        </div>
      ) : (
        <p class="soft small">{words.sending}</p>
      )}
    </Bubble>
  )
}
