import { batch, effect, signal } from '../runtime/signals.ts'
import type { HistoryMessage, SessionState } from '../../server/chat/schema.ts'
import { Refusal } from '../chat/api.ts'
import type { Form } from '../chat/chat.ts'
import type { Continuity } from '../session/continuity.tsx'
import type { AppContext, Slots } from '../ui/app-context.ts'
import { readEvents, type StreamedEvent } from '../chat/event-stream.ts'
import styles from './live.css?inline'
import type { LazyStrings } from '../locales/strings.lazy.ts'
import { yieldToMain } from '../runtime/yield.ts'

const INITIAL_WAIT_MS = 1_000
const MAX_WAIT_MS = 30_000
/** The first event comes at once; after this time a proxy is presumed to buffer the stream. */
const STREAM_START_TIMEOUT_MS = 8_000
/** The page asks for news instead, so often, and tries the stream again after that time. */
const POLL_INTERVAL_MS = 4_000
const POLLING_TTL_MS = 120_000
/** A sign of typing lasts this long. */
const TYPING_TTL_MS = 6_000
/** Interval of typing signals while the visitor goes on typing. */
const TYPING_INTERVAL_MS = 3_000

/** The fields of all events of the stream; each has those of its name. See `docs/live.md`. */
interface LiveEvent extends HistoryMessage {
  state: SessionState
  operator: { name: string; picture_url: string | null } | null
  is_typing: boolean
  reader: 'visitor' | 'operator'
  quick_replies: string[]
  form: Form | null
}

/**
 * Listens to the team's messages while the team may write: one connection for all tabs of the site.
 * The stream goes on where it broke off, and ends when the page is left.
 */
export async function start(
  app: AppContext,
  strings: LazyStrings,
  { history, tabs }: Continuity,
): Promise<void> {
  const { host, chat, ui } = app
  const { api, storage, destroyed, tenant, base } = host
  await yieldToMain()
  const isAway = signal(false)
  const isDisconnected = signal(false)
  const seen = signal('')
  let connection: AbortController | undefined
  let lastId = ''
  /** The session that `lastId` is a position of. */
  let lastSession: string | undefined
  let pollingUntil = 0
  let typingEnds: ReturnType<typeof setTimeout> | undefined
  let typedAt = 0
  let readId = ''
  let before = chat.state.peek() === 'closed' ? undefined : chat.state.peek()

  const session = (): string | undefined => storage.get('session')
  const post = (what: string, body: object): void => {
    api.post(`chatbot/sessions/${session()}/${what}`, body).catch(() => {})
  }
  const isWanted = (): boolean => {
    const state = chat.state.value
    const isWithPeople = state === 'waiting' || state === 'operator'
    // The first line of a new visitor has no session until it is answered.
    const isOpen = chat.isOpen.value && chat.lines.value.length > 0 && session() !== undefined
    return !isAway.value && (isWithPeople || (isOpen && state === 'bot'))
  }

  function setTyping(isTyping: boolean): void {
    clearTimeout(typingEnds)
    if (isTyping && !tabs.isTyping.peek()) ui.announce(strings.operatorTyping)
    tabs.isTyping.value = isTyping
    if (isTyping) typingEnds = setTimeout(() => setTyping(false), TYPING_TTL_MS)
  }

  /** Receipt of the visitor's last line to an operator. */
  function readReceipt(): Slots['receipt'] {
    // Operators do not read a message that the bot has answered.
    const last = chat.lines.value.findLast(({ role }) => role === 'visitor' || role === 'assistant')
    if (last?.role !== 'visitor') return undefined
    const { id, key } = last
    if (id === seen.value) return { id, text: strings.seen }
    // Until then it has the widget's own id.
    const isSent = id !== key && chat.state.value === 'operator'
    return isSent ? { id, text: strings.sent } : undefined
  }

  function receiveMessage(message: HistoryMessage & Partial<LiveEvent>): void {
    if (!history.merge(message) || message.role === 'visitor') return
    batch(() => {
      setTyping(false)
      chat.suggestions.value = message.quick_replies ?? []
      chat.offer.value = message.form ?? undefined
      if (message.role !== 'system') chat.receive(message.message_id, message.content)
    })
    ui.announce(message.content)
  }

  function receive({ id, event, data }: StreamedEvent): undefined {
    const isFirst = !lastId
    if (id) lastId = id
    const body: LiveEvent = JSON.parse(data)
    if (event === 'message') receiveMessage(body)
    else if (event === 'typing' && body.role === 'operator') setTyping(body.is_typing)
    else if (event === 'read' && body.reader === 'operator') seen.value = body.message_id
    else if (event === 'state') {
      const { name, picture_url: picture } = body.operator ?? {}
      batch(() => {
        ui.addSlots({
          operator: name ? { name, picture: picture ? base + picture : undefined } : undefined,
        })
        chat.setState(body.state)
      })
    }
    // The stream misses nothing after its first event; the history has the messages before.
    if (isFirst || event === 'reset') void history.load()
  }

  /** One connection, from its start to its end. @returns milliseconds to wait before the next. */
  async function listen(ended: AbortSignal, wait: number): Promise<number> {
    if (Date.now() < pollingUntil) {
      await history.load(receiveMessage)
      if (history.hasFailed.peek()) pollingUntil = 0
      return POLL_INTERVAL_MS
    }
    if (lastSession !== session()) lastId = ''
    lastSession = session()
    const silence = new AbortController()
    const timer = setTimeout(() => silence.abort(), STREAM_START_TIMEOUT_MS)
    const headers: Record<string, string> = lastId ? { 'Last-Event-ID': lastId } : {}
    try {
      const response = await api.ask(`chatbot/sessions/${session()}/live`, {
        headers,
        signal: AbortSignal.any([ended, silence.signal]),
      })
      if (isDisconnected.peek()) ui.announce(strings.backOnline)
      isDisconnected.value = false
      if (response.body)
        await readEvents(response.body, (event) => {
          clearTimeout(timer)
          return receive(event)
        })
      return INITIAL_WAIT_MS
    } catch (error) {
      if (ended.aborted) return 0
      if (silence.signal.aborted) {
        pollingUntil = Date.now() + POLLING_TTL_MS
        return INITIAL_WAIT_MS
      }
      const { status = 0, retryAfter } = error instanceof Refusal ? error : {}
      // The conversation is gone, or another visitor's.
      if (status === 403 || status === 404) return Infinity
      if (wait > INITIAL_WAIT_MS && !isDisconnected.peek()) {
        isDisconnected.value = true
        ui.announce(strings.lost)
      }
      return Math.max((retryAfter ?? 0) * 1_000, Math.min(wait * 2, MAX_WAIT_MS))
    } finally {
      clearTimeout(timer)
    }
  }

  async function stayConnected({ signal: ended }: AbortController): Promise<void> {
    let wait = INITIAL_WAIT_MS / 2
    while (!ended.aborted && wait < Infinity) {
      wait = await listen(ended, wait)
      // Not all browsers at once after a restart of the server.
      if (!ended.aborted && wait < Infinity) await sleep(wait * (0.5 + Math.random()), ended)
    }
  }

  ui.addStyles(styles)
  ui.addSlots({
    live: () => (
      <>
        {tabs.isTyping.value && (
          <div class="line operator">
            <div class="bubble">
              <span class="dots" />
              <span class="sr">{strings.operatorTyping}</span>
            </div>
          </div>
        )}
        {isDisconnected.value && <p class="note">{strings.lost}</p>}
      </>
    ),
    subtitle: () => {
      if (chat.state.value === 'waiting') return strings.inQueue
      return chat.state.value === 'operator'
        ? (ui.slots.value.operator?.name ?? strings.joined)
        : undefined
    },
  })
  const endings = [
    effect(() => {
      const wanted = isWanted()
      if (!wanted) {
        connection?.abort()
        connection = undefined
      } else if (!connection) {
        const own = (connection = new AbortController())
        const connect = (): Promise<void> => stayConnected(own)
        const turn = navigator.locks?.request(
          `sohbet:${tenant}:live`,
          { signal: own.signal },
          connect,
        )
        // Refused in sandboxed frames; where it was given up, `connect` is over at once.
        void (turn?.catch(connect) ?? connect())
      }
    }),
    effect(() => {
      const state = chat.state.value
      if (state === before) return
      // A system message announces the change too, and that one is read out.
      if (state === 'closed') {
        import('./rating.tsx').then(
          (rating) => rating.start(app, strings),
          () => {},
        )
      }
      before = state
    }),
    effect(() => {
      const isTypingNow = chat.draft.value !== '' && chat.state.value === 'operator'
      if (!isTypingNow || Date.now() - typedAt < TYPING_INTERVAL_MS) return
      typedAt = Date.now()
      post('typing', { is_typing: true })
    }),
    effect(() => {
      const receipt = readReceipt()
      const now = ui.slots.peek().receipt
      if (receipt?.id === now?.id && receipt?.text === now?.text) return
      if (receipt?.text === strings.sent) ui.announce(strings.sent)
      ui.addSlots({ receipt })
    }),
    effect(() => {
      const last = chat.lines.value.findLast(({ role }) => role === 'operator')
      const isSeen = chat.isOpen.value && chat.unread.value === 0
      if (!last || !isSeen || last.id === readId) return
      readId = last.id
      post('read', { message_id: last.id })
    }),
  ]
  const skip = (): void => {}
  import('./thumbs.tsx').then((thumbs) => thumbs.start(app, strings), skip)
  if (host.config?.attachments) {
    import('./files.tsx').then((files) => files.start(app, strings, { history }), skip)
  }
  addEventListener('pagehide', () => (isAway.value = true), { signal: destroyed })
  addEventListener('pageshow', () => (isAway.value = false), { signal: destroyed })
  destroyed.addEventListener('abort', () => {
    connection?.abort()
    clearTimeout(typingEnds)
    for (const end of endings) end()
  })
}

/** Waits; not longer than until the connection is back. */
function sleep(milliseconds: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = new AbortController()
    const done = (): void => {
      clearTimeout(timer)
      wake.abort()
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    addEventListener('online', done, { signal: wake.signal })
    ended.addEventListener('abort', done, { signal: wake.signal })
  })
}
