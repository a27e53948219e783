import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { InboxMessage, Note } from '../../../../server/inbox/schema.ts'
import { useApp } from '../../../app/app-context.ts'
import type { Words } from '../../../locales/en/inbox.ts'
import { Button } from '../../../ui/button.tsx'
import { Message, NoteBubble, PendingBubble } from './message.tsx'
import type { Thread, ThreadHead } from './thread.ts'

/** Pixels from the newest message within which the log follows new ones. */
const FOLLOW_DISTANCE = 60
const LOAD_OLDER_DISTANCE = 300

type Item =
  | { kind: 'message'; id: string; at: string; message: InboxMessage }
  | { kind: 'note'; id: string; at: string; note: Note }

/** The messages and notes of a conversation by day; it follows new ones unless one scrolled up. */
export function MessageLog({
  thread,
  head,
  visitor,
  words,
}: {
  thread: Thread
  head: ThreadHead
  visitor: string
  words: Words
}): VNode {
  const { format, session, toasts, explain } = useApp()
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const before = useRef({ first: '', last: '', height: 0 })
  const hasNew = useSignal(false)
  const messages = thread.messages.value
  const items = itemsOf(messages, head.notes, thread.hasOlder.value)
  const pending = thread.pending.value
  const isTyping = thread.isVisitorTyping.value
  const ratings = new Map(head.feedback.map((each) => [each.message_id, each]))
  const readAt = lastReadReply(messages, head.read_by_visitor)

  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
    const first = items[0]?.id ?? ''
    const last = items.at(-1)?.id ?? ''
    const mine = messages.at(-1)?.author?.user_id === session.me.value?.user.id
    if (isAtEnd.current || (last !== before.current.last && mine)) {
      current.scrollTop = current.scrollHeight
      hasNew.value = false
    } else if (first !== before.current.first && before.current.first !== '') {
      current.scrollTop += current.scrollHeight - before.current.height
    } else if (last !== before.current.last) hasNew.value = true
    before.current = { first, last, height: current.scrollHeight }
  }, [items.length, items[0]?.id, items.at(-1)?.id, pending.length, isTyping])

  function follow(): void {
    const { current } = box
    if (!current) return
    isAtEnd.current =
      current.scrollHeight - current.scrollTop - current.clientHeight < FOLLOW_DISTANCE
    if (isAtEnd.current) hasNew.value = false
    if (current.scrollTop < LOAD_OLDER_DISTANCE && thread.hasOlder.value) {
      void thread.loadOlder().catch((error: unknown) => toasts.failed(explain(error)))
    }
  }

  let day = ''
  return (
    <div class="log-frame">
      <div
        ref={box}
        class="log"
        role="log"
        aria-label={words.thread}
        tabIndex={0}
        onScroll={follow}
      >
        {thread.hasOlder.value && <p class="system soft small">{words.older}</p>}
        {items.map((item) => {
          const today = format.value.weekday(item.at)
          const isNewDay = today !== day
          day = today
          return (
            <div key={item.id} class="entry">
              {isNewDay && (
                <p class="day">
                  <span>{today}</span>
                </p>
              )}
              {item.kind === 'note' ? (
                <NoteBubble note={item.note} words={words} />
              ) : (
                <Message
                  message={item.message}
                  feedback={ratings.get(item.id)}
                  visitor={visitor}
                  words={words}
                />
              )}
              {item.id === readAt && <p class="read-mark soft small">{words.read}</p>}
            </div>
          )
        })}
        {pending.map((reply) => (
          <PendingBubble
            key={reply.key}
            reply={reply}
            words={words}
            onAgain={() => thread.send(reply.text, reply.key).catch(() => undefined)}
            onDrop={() => thread.drop(reply.key)}
          />
        ))}
        {isTyping && <p class="typing soft small">{words.typing}</p>}
      </div>
      {hasNew.value && (
        <div class="new-messages">
          <Button
            small
            kind="primary"
            icon="down"
            onPress={() => {
              box.current?.scrollTo({ top: box.current.scrollHeight, behavior: 'smooth' })
            }}
          >
            {words.newMessages}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Messages and notes by time; notes before the oldest loaded message wait for it. */
function itemsOf(messages: InboxMessage[], notes: Note[], hasOlder: boolean): Item[] {
  const oldest = messages[0]?.created_at ?? ''
  const items: Item[] = messages.map((message) => ({
    kind: 'message',
    id: message.message_id,
    at: message.created_at,
    message,
  }))
  for (const note of notes) {
    if (hasOlder && note.created_at < oldest) continue
    items.push({ kind: 'note', id: note.note_id, at: note.created_at, note })
  }
  return items.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
}

/** Returns the last reply that the visitor has read. */
function lastReadReply(messages: InboxMessage[], readUpTo: string | null): string | undefined {
  const at = messages.findIndex(({ message_id: id }) => id === readUpTo)
  return messages.slice(0, at + 1).findLast(({ role }) => role === 'operator')?.message_id
}
