import { batch, signal } from '../runtime/signals.ts'
import type { Attachment, HistoryMessage, Session } from '../../server/chat/schema.ts'
import { Refusal } from '../chat/api.ts'
import type { Line } from '../chat/chat.ts'
import type { AppContext } from '../ui/app-context.ts'

interface Page<Item> {
  data: Item[]
  next_cursor: string | null
}

/** Loads the conversation from the server and merges it with the lines of this page. */
export function createHistory({ host, chat }: AppContext) {
  const { api, storage } = host
  const hasFailed = signal(false)

  /** The files of the conversation, oldest first. */
  const files = signal<Attachment[]>([])

  function remember({ attachments }: HistoryMessage): void {
    const known = files.peek()
    const fresh = attachments.filter((file) =>
      known.every(({ attachment_id }) => attachment_id !== file.attachment_id),
    )
    if (fresh.length > 0) files.value = [...known, ...fresh]
  }

  const toLine = (message: HistoryMessage): Line => ({
    id: message.message_id,
    key: message.message_id,
    role: message.role,
    text: message.content,
    citations: message.citations,
    at: Date.parse(message.created_at),
  })

  /** The message under way, while the server's id of it is unknown. */
  function findUnsettled(): { key: string; text: string } | undefined {
    const tried = chat.outbox.peek().find(({ isTried }) => isTried)
    if (!tried) return undefined
    const { key, message } = tried
    const line = chat.lines.peek().find((each) => each.key === key)
    return line && line.id !== key ? undefined : { key, text: message.message }
  }

  /** Every message of a conversation, oldest first. */
  async function read(session: string): Promise<HistoryMessage[]> {
    const messages: HistoryMessage[] = []
    let cursor: string | null = ''
    do {
      const from: string = cursor && `&cursor=${encodeURIComponent(cursor)}`
      const response = await api.ask(`chatbot/sessions/${session}/messages?limit=100${from}`)
      const page: Page<HistoryMessage> = await response.json()
      messages.push(...page.data)
      cursor = page.next_cursor
    } while (cursor)
    return messages
  }

  /** Puts the whole history in its order, among the lines that only this page knows. */
  function mergeAll(messages: HistoryMessage[]): void {
    messages.forEach(remember)
    const known = new Map(chat.lines.peek().map((line) => [line.id, line]))
    let lines = messages.map((message) => known.get(message.message_id) ?? toLine(message))
    const mine = findUnsettled()
    const last = lines.findLastIndex(({ role }) => role === 'visitor')
    const line = lines[last]
    // The server has the message already. Its answer comes again, by asking under the same id.
    if (mine && line && line.text === mine.text && !known.has(line.id))
      lines = [...lines.slice(0, last), { ...line, key: mine.key }]
    // A line that only this page knows stays in its place: a form's confirmation,
    // or the conversation that ended before this one began.
    let at = lines.length
    for (const own of chat.lines.peek().toReversed()) {
      const isOwn = ({ id, key }: Line): boolean =>
        [own.id, own.key].some((it) => it === id || it === key)
      const place = lines.findIndex(isOwn)
      if (place < 0) lines.splice(at, 0, own)
      else at = place
    }
    chat.lines.value = lines
  }

  /** Adds a message of the live channel. @returns whether the message was new. */
  function merge(message: HistoryMessage): boolean {
    remember(message)
    const line = toLine(message)
    const mine = findUnsettled()
    // The answer to this page's question comes by its own stream.
    if (mine && line.role === 'assistant') return false
    if (mine && line.role === 'visitor' && line.text === mine.text) return false
    const { length } = chat.lines.peek()
    chat.add(line)
    return chat.lines.peek().length > length
  }

  /** Messages since the panel was last open, on any page of the site. */
  function countUnseen(): number {
    const lines = chat.lines.peek()
    const seen = lines.findIndex(({ id }) => id === storage.get('seen'))
    const isNews = ({ role }: Line): boolean => role === 'operator' || role === 'assistant'
    return seen < 0 ? 0 : lines.slice(seen + 1).filter(isNews).length
  }

  /** Brings back the conversation of an earlier page. `tell` gets each message first. */
  async function load(tell?: (message: HistoryMessage) => void): Promise<void> {
    const session = storage.get('session')
    if (!session) return
    try {
      const [messages, response] = await Promise.all([
        read(session),
        api.ask('chatbot/sessions?limit=100'),
      ])
      const sessions: Page<Session> = await response.json()
      // The visitor has begun another conversation.
      if (storage.get('session') !== session) return
      batch(() => {
        if (tell) messages.forEach(tell)
        mergeAll(messages)
        hasFailed.value = false
        const now = sessions.data.find(({ session_id }) => session_id === session)
        if (now) chat.setState(now.state)
        if (!chat.isOpen.peek()) chat.unread.value = countUnseen()
      })
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) chat.forget()
      else hasFailed.value = true
    }
  }

  return { hasFailed, files, load, merge }
}
