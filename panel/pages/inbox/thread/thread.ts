import { batch, effect, signal, type ReadonlySignal } from '@preact/signals'
import type {
  Conversation,
  InboxMessage,
  InboxSession,
  Note,
} from '../../../../server/inbox/schema.ts'
import type { PanelApp } from '../../../app/app-context.ts'
import type { LiveEvent } from '../../../app/api/live.ts'
import { storedTexts, storeTexts } from '../../../app/stored-draft.ts'
import { changedBy } from '../list/conversations.ts'

const PAGE = 40
const POLL_INTERVAL_MS = 4_000
/** A typing indicator expires after that without a repetition. */
const TYPING_TTL_MS = 6_000
const TYPING_REPEAT_MS = 3_500

const FOLLOWED = new Set<LiveEvent['name']>(['message', 'state', 'read', 'note', 'inbox', 'typing'])

/** A reply on its way, or one that could not be sent. */
export interface PendingReply {
  key: string
  text: string
  hasFailed: boolean
}

/** Everything of a conversation but its messages. */
export type ThreadHead = Omit<Conversation, 'messages'>

/** One conversation as the inbox shows it, kept current by the event stream. */
export interface Thread {
  readonly id: string
  /** `undefined` until the conversation is loaded. */
  readonly head: ReadonlySignal<ThreadHead | undefined>
  readonly messages: ReadonlySignal<InboxMessage[]>
  readonly hasOlder: ReadonlySignal<boolean>
  readonly pending: ReadonlySignal<PendingReply[]>
  readonly error: ReadonlySignal<unknown>
  readonly isVisitorTyping: ReadonlySignal<boolean>
  /** The colleague who writes at this moment. */
  readonly colleague: ReadonlySignal<string | undefined>
  load(): Promise<void>
  loadOlder(): Promise<void>
  /** Shows the reply at once; throws when it was not sent. A repetition has its key. */
  send(text: string, key?: string): Promise<void>
  drop(key: string): void
  /** Sends a picture or a PDF file. */
  attach(file: File): Promise<void>
  addNote(text: string): Promise<void>
  /** Posts to a route of the conversation that answers with the changed conversation. */
  act(route: 'claim' | 'release' | 'close' | 'assign', body?: object): Promise<void>
  change(change: { tags?: string[]; snoozed_until?: string | null }): Promise<void>
  markRead(): Promise<void>
  /** Sends the typing indicator to the visitor and the colleagues, at a limited rate. */
  setTyping(isTyping: boolean): void
  /** Follows the event stream until the returned function is called. */
  follow(): () => void
}

/** @param onChange gets the conversation whenever a call of this thread changed it. */
export function createThread(
  { api, live, session }: PanelApp,
  id: string,
  onChange: (row: InboxSession) => void,
): Thread {
  const path = `inbox/${encodeURIComponent(id)}`
  const head = signal<ThreadHead | undefined>(undefined)
  const messages = signal<InboxMessage[]>([])
  const older = signal<string | null>(null)
  const hasOlder = signal(false)
  const unsent = `inbox-unsent.${id}`
  // A repetition has the key of the first attempt: what arrived after all is not written twice.
  const pending = signal<PendingReply[]>(
    storedTexts(unsent).map(([key, text]) => ({ key, text, hasFailed: true })),
  )
  // Goes on when the thread is left: a reply on its way is still answered.
  effect(() =>
    storeTexts(
      unsent,
      pending.value.map(({ key, text }) => [key, text]),
    ),
  )
  const error = signal<unknown>(undefined)
  const isVisitorTyping = signal(false)
  const colleague = signal<string | undefined>(undefined)
  const timers: Partial<Record<'visitor' | 'operator', ReturnType<typeof setTimeout>>> = {}
  let isLoadingOlder = false
  let isMarking = false
  let hasUnmarked = false
  let typedAt = 0

  async function load(): Promise<void> {
    try {
      const { messages: page, ...rest } = await api.get<Conversation>(path, { limit: PAGE })
      batch(() => {
        error.value = undefined
        head.value = rest
        const known = new Set(messages.value.map(({ message_id: each }) => each))
        // Without a common message there is a gap between what is shown and the newest page.
        const isJoined = page.data.some(({ message_id: each }) => known.has(each))
        if (isJoined) messages.value = merged(messages.value, page.data)
        else {
          const after = page.data.at(-1)?.created_at ?? ''
          const arrived = messages.value.filter((message) => message.created_at > after)
          messages.value = merged(page.data, arrived)
          older.value = page.next_cursor
          hasOlder.value = page.next_cursor !== null
        }
      })
    } catch (failure) {
      error.value = failure
    }
  }

  async function loadOlder(): Promise<void> {
    if (isLoadingOlder || older.value === null) return
    isLoadingOlder = true
    try {
      const query = { limit: PAGE, cursor: older.value }
      const { messages: page } = await api.get<Conversation>(path, query)
      batch(() => {
        messages.value = merged(page.data, messages.value)
        older.value = page.next_cursor
        hasOlder.value = page.next_cursor !== null
      })
    } finally {
      isLoadingOlder = false
    }
  }

  function changed(row: InboxSession): void {
    if (head.value) head.value = { ...head.value, ...row }
    onChange(row)
  }

  async function send(text: string, key: string = crypto.randomUUID()): Promise<void> {
    const others = pending.value.filter((reply) => reply.key !== key)
    pending.value = [...others, { key, text, hasFailed: false }]
    typedAt = 0
    try {
      const sent = await api.post<InboxMessage>(`${path}/messages`, { text }, { requestId: key })
      batch(() => {
        pending.value = pending.value.filter((reply) => reply.key !== key)
        messages.value = merged(messages.value, [sent])
      })
      // The reply may have taken the conversation over.
      if (head.value?.state !== 'operator') void load()
    } catch (failure) {
      pending.value = pending.value.map((reply) =>
        reply.key === key ? { ...reply, hasFailed: true } : reply,
      )
      // Somebody else may have it now.
      void load()
      throw failure
    }
  }

  function showTyping(role: 'visitor' | 'operator', name: string | undefined): void {
    clearTimeout(timers[role])
    if (role === 'visitor') isVisitorTyping.value = name !== undefined
    else colleague.value = name
    if (name !== undefined) {
      timers[role] = setTimeout(() => showTyping(role, undefined), TYPING_TTL_MS)
    }
  }

  function hear(event: LiveEvent): void {
    const { name, data } = event
    if (name === 'ready' || name === 'reset') void load()
    else if (FOLLOWED.has(name) && idOf(data) === id) apply(event)
  }

  function apply(event: LiveEvent): void {
    if (head.value) head.value = changedBy(head.value, event)
    if (event.name === 'message') {
      const { data } = event
      const me = session.me.value?.user.id
      const isMine = data.author !== null && data.author.user_id === me
      // The event of one's own reply may arrive before the answer of the request.
      const at = isMine ? pending.value.findIndex(({ text }) => text === data.content) : -1
      if (at >= 0) pending.value = pending.value.toSpliced(at, 1)
      messages.value = merged(messages.value, [data])
      if (data.role === 'visitor' || data.role === 'operator') showTyping(data.role, undefined)
    } else if (event.name === 'state') {
      // The event does not say everything of a colleague who took over.
      if (event.data.assignee !== null) void load()
    } else if (event.name === 'note' && head.value) {
      head.value = { ...head.value, notes: withNote(head.value.notes, event.data) }
    } else if (event.name === 'read' && head.value) {
      const { reader, message_id: read } = event.data
      head.value = { ...head.value, [`read_by_${reader}`]: read }
    } else if (event.name === 'typing') {
      const { role, name, is_typing: isTyping, user_id: writer } = event.data
      if (writer !== null && writer === session.me.value?.user.id) return
      showTyping(role, isTyping ? (name ?? '') : undefined)
    }
  }

  return {
    id,
    head,
    messages,
    hasOlder,
    pending,
    error,
    isVisitorTyping,
    colleague,
    load,
    loadOlder,
    send,
    drop(key) {
      pending.value = pending.value.filter((reply) => reply.key !== key)
    },
    async attach(file) {
      const form = new FormData()
      form.set('file', file)
      const sent = await api.upload<InboxMessage>(`${path}/attachments`, form)
      messages.value = merged(messages.value, [sent])
    },
    async addNote(text) {
      const note = await api.post<Note>(`${path}/notes`, { text })
      if (head.value) head.value = { ...head.value, notes: withNote(head.value.notes, note) }
    },
    async act(route, body) {
      try {
        changed(await api.post<InboxSession>(`${path}/${route}`, body))
      } catch (failure) {
        void load()
        throw failure
      }
    },
    async change(change) {
      changed(await api.patch<InboxSession>(path, change))
    },
    async markRead() {
      // Messages come in bursts: those that come during a call are marked together after it.
      hasUnmarked = true
      if (isMarking) return
      isMarking = true
      try {
        while (hasUnmarked) {
          hasUnmarked = false
          changed(await api.post<InboxSession>(`${path}/read`))
        }
      } finally {
        isMarking = false
      }
    },
    setTyping(isTyping) {
      if (!isTyping && typedAt === 0) return
      if (isTyping && Date.now() - typedAt < TYPING_REPEAT_MS) return
      typedAt = isTyping ? Date.now() : 0
      void api.post(`${path}/typing`, { is_typing: isTyping }).catch(() => undefined)
    },
    follow() {
      const unfollow = live.follow(hear)
      const poll = setInterval(() => live.isBlocked.value && void load(), POLL_INTERVAL_MS)
      return () => {
        unfollow()
        clearInterval(poll)
        clearTimeout(timers.visitor)
        clearTimeout(timers.operator)
      }
    },
  }
}

/** Returns both lists as one in the order of their times, each message once. */
function merged(messages: InboxMessage[], more: InboxMessage[]): InboxMessage[] {
  const byId = new Map(messages.map((message) => [message.message_id, message]))
  for (const message of more) byId.set(message.message_id, message)
  return [...byId.values()].toSorted((one, other) => compare(one.created_at, other.created_at))
}

function idOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'session_id' in data
    ? data.session_id
    : undefined
}

function withNote(notes: Note[], note: Note): Note[] {
  return notes.some(({ note_id: each }) => each === note.note_id) ? notes : [...notes, note]
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
