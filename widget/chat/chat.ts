import { batch, signal } from '../runtime/signals.ts'
import type {
  Citation,
  HistoryMessage,
  SendMessage,
  SessionState,
  Turn,
} from '../../server/chat/schema.ts'
import type { WidgetConfig } from '../../server/tenants/schema.ts'
import { type Api, Refusal } from './api.ts'
import { newId } from './new-id.ts'
import type { PageEvents } from '../host/page-events.ts'
import { type SendError, toSendError } from './send-error.ts'
import type { WidgetStorage } from '../host/storage.ts'

/** In Unicode code points, after trimming; as in `server/chat/schema.ts`. */
const MAX_MESSAGE_LENGTH = 4_000

/** One line of the conversation. `thanks` confirms a form. */
export interface Line {
  /** The server's id of it once it is known, before that the widget's own. */
  id: string
  /** Stays the same while the line is shown. */
  key: string
  role: HistoryMessage['role'] | 'thanks'
  text: string
  citations: Citation[]
  /** Milliseconds since 1970. */
  at: number
}

/** A message on its way. It keeps its id and its body over every try, also after a reload. */
export interface Attempt {
  /** The key of its line. Messages of the outbox are sent in the order of their keys. */
  key: string
  id: string
  message: SendMessage
  /** Set by the first try; afterwards the attempt is immutable. */
  isTried?: true
}

/** A form that a visitor can fill in. */
export type Form = 'lead' | 'appointment'

/** Dependencies of the chat. */
export interface ChatDeps {
  api: Api
  storage: WidgetStorage
  emit: PageEvents['emit']
  tenant: string
  language: string
  config: WidgetConfig | undefined
  /** The page's address; undefined where it is not on the web. */
  pageUrl(): string | undefined
  /** Whether the visitor looks at another tab or program. */
  isHidden(): boolean
  /**
   * Decides after a refusal: the attempt to make next, or undefined when the visitor has to decide.
   * Rejects when the chunk that decides cannot be loaded, because there is no connection.
   */
  recover(attempt: Attempt, refusal: Refusal, tries: number): Promise<Attempt | undefined>
}

export type Chat = ReturnType<typeof createChat>

/**
 * The conversation: its lines, the answer under way, and the verbs that change them. A plain function,
 * because `createModel` would cost every visitor 0.3 KB.
 */
export function createChat(deps: ChatDeps) {
  const { api, storage, emit, tenant, language, config, pageUrl } = deps
  const isOpen = signal(false)
  const lines = signal<Line[]>([])
  /** The answer as far as it has come: empty while there is none yet, undefined when none is due. */
  const answer = signal<string | undefined>(undefined)
  const sendError = signal<SendError | undefined>(undefined)
  /** Messages to send; the one under way is among the lines already. */
  const outbox = signal<Attempt[]>([])
  const suggestions = signal((!storage.get('session') && config?.quick_replies) || [])
  /** The form that is proposed, and the one that is filled in. */
  const offer = signal<Form | undefined>(undefined)
  const form = signal<Form | undefined>(undefined)
  const state = signal<SessionState>('bot')
  const unread = signal(0)
  const draft = signal(storage.get('draft') ?? '')
  const excessLength = (): number =>
    Math.max(0, [...draft.value.trim()].length - MAX_MESSAGE_LENGTH)
  const isBusy = (): boolean => answer.value !== undefined && sendError.value === undefined
  const canSend = (): boolean => excessLength() === 0 && draft.value.trim() !== ''
  let running: Promise<void> | undefined
  /** Counts the visitors of this page, one after the other. */
  let visit = 0
  /** When the last message was written, in milliseconds since 1970. */
  let written = 0

  /** Gives an own line its server id, and removes a copy that came by another way. */
  function reconcileId(id: string, key = id): void {
    const known = lines.peek()
    if (id === key || known.every((line) => line.key !== key)) return
    lines.value = known
      .filter((line) => line.key === key || line.id !== id)
      .map((line) => (line.key === key ? { ...line, id } : line))
  }

  /** Appends lines, each once, also where two tabs send at a time because locks are missing. */
  function add(...given: (Omit<Line, 'key'> & { key?: string })[]): void {
    for (const { id, key } of given) reconcileId(id, key)
    const known = lines.peek()
    const fresh = given
      .map((line) => ({ ...line, key: line.key ?? line.id }))
      .filter(({ id, key }) =>
        known.every((line) => line.id !== id && line.key !== id && line.key !== key),
      )
    if (fresh.length > 0) lines.value = [...known, ...fresh]
  }

  function openForm(wanted: Form | undefined): void {
    batch(() => {
      form.value = wanted
      offer.value = undefined
    })
  }

  /** Reads the outbox from storage: the tabs of this site share it. */
  function readOutbox(): Attempt[] {
    return (outbox.value = storage.outbox().map((text) => JSON.parse(text)))
  }

  /**
   * Stores a message, each in an item of its own: a tab sees what others store some milliseconds later,
   * and would overwrite theirs in a common one.
   */
  function keep(attempt: Attempt): void {
    storage.set(`outbox:${attempt.key}`, JSON.stringify(attempt))
    readOutbox()
  }

  function drop({ key }: Attempt): void {
    storage.set(`outbox:${key}`, undefined)
    readOutbox()
  }

  function setState(now: SessionState): void {
    state.value = now
    storage.set('state', now === 'bot' ? undefined : now)
  }

  /** Counts an unseen message, and emits the page's event. */
  function receive(id: string, text: string): void {
    if (!isOpen.peek() || deps.isHidden()) unread.value = unread.peek() + 1
    emit('message:received', { message_id: id, text })
  }

  function settle(key: string, attempt: Attempt, turn: Turn): void {
    const { reply } = turn
    storage.set('session', turn.session_id)
    batch(() => {
      drop(attempt)
      setState(turn.state)
      answer.value = undefined
      reconcileId(turn.message_id, key)
      suggestions.value = reply?.quick_replies ?? []
      offer.value = reply?.form ?? undefined
      if (!reply) return
      const { message_id: id, role, content: text, citations } = reply
      add({ id, role, text, citations, at: Date.now() })
      receive(id, text)
    })
  }

  function fail(refusal: Refusal): void {
    sendError.value = toSendError(refusal)
    emit('error', { code: refusal.code })
  }

  /** @returns whether the next one may be sent. */
  async function deliver(first: Attempt): Promise<boolean> {
    let attempt: Attempt | undefined = first
    const own = visit
    if (!first.isTried) {
      const session_id = storage.get('session')
      if (session_id) first.message.session_id = session_id
      first.isTried = true
      keep(first)
    }
    const { key, message } = first
    for (let tries = 0; attempt; tries++) {
      batch(() => {
        add({ id: key, role: 'visitor', text: message.message, citations: [], at: Date.now() })
        suggestions.value = []
        answer.value ??= ''
        sendError.value = undefined
      })
      try {
        const show = (fresh: string): void => {
          // The text shown before a cut stays until the repeated answer has come as far.
          if (!answer.peek()?.startsWith(fresh)) answer.value = fresh
        }
        const turn = await api.send(attempt.id, attempt.message, show)
        if (own === visit) settle(key, attempt, turn)
        return true
      } catch (error) {
        const refusal = error instanceof Refusal ? error : new Refusal(0, 'internal')
        if (own === visit)
          attempt = await deps.recover(attempt, refusal, tries).catch(() => undefined)
        // The next message is another visitor's; nobody waits for this one.
        if (own !== visit) return true
        if (!attempt) fail(refusal)
      }
    }
    return false
  }

  async function sendAll(): Promise<void> {
    for (let next; (next = readOutbox()[0]) && (await deliver(next)););
  }

  /**
   * Sends the outbox, in order and one message at a time over all tabs of this site. Returns when it
   * is empty, or when the visitor has to decide about its first message.
   */
  function run(): Promise<void> {
    // No locks on pages without HTTPS, and they are refused in sandboxed frames.
    const locked = (): Promise<void> =>
      navigator.locks?.request(`sohbet:${tenant}`, sendAll).catch(sendAll) ?? sendAll()
    running ??= locked().then(() => {
      running = undefined
      // A message may come between the last look and the end of the lock.
      return readOutbox()[0] && !sendError.peek() ? run() : undefined
    })
    return running
  }

  function setDraft(text: string): void {
    draft.value = text
    // Nothing is stored before the first message.
    if (storage.get('token') !== undefined) storage.set('draft', text || undefined)
  }

  /** Sends a message, after those that wait already. */
  async function ask(given: string): Promise<void> {
    const message = given.trim()
    if (message === '' || [...message].length > MAX_MESSAGE_LENGTH) return
    const id = newId()
    // Later than the one before, also within one millisecond.
    written = Math.max(Date.now(), written + 1)
    const body = { tenant_id: tenant, message, stream: true, locale: language, page_url: pageUrl() }
    batch(() => {
      keep({ key: `${written}-${id}`, id, message: body })
      suggestions.value = []
    })
    emit('message:sent', { message_id: id, text: message })
    await run()
  }

  /** Sends the draft. */
  async function askDraft(): Promise<void> {
    if (!canSend()) return
    const text = draft.peek()
    setDraft('')
    await ask(text)
  }

  function setOpen(open: boolean): void {
    batch(() => {
      isOpen.value = open
      if (open) unread.value = 0
    })
  }

  /**
   * Starts over with an empty conversation. Where another tab has done so already (`isElsewhere`), what
   * waits belongs to the next one.
   */
  function forget(isElsewhere = false): void {
    for (const kept of ['session', 'seen'] as const) storage.set(kept, undefined)
    batch(() => {
      lines.value = []
      answer.value = sendError.value = offer.value = form.value = undefined
      unread.value = 0
      suggestions.value = config?.quick_replies ?? []
      for (const waiting of readOutbox()) if (!isElsewhere) drop(waiting)
      setState('bot')
    })
  }

  /** Starts over as a new visitor: nothing of the earlier one stays in this browser. */
  function forgetVisitor(): void {
    visit++
    for (const kept of ['token', 'draft', 'alerts'] as const) storage.set(kept, undefined)
    draft.value = ''
    forget()
  }

  return {
    isOpen,
    lines,
    answer,
    sendError,
    outbox,
    suggestions,
    offer,
    form,
    state,
    unread,
    draft,
    excessLength,
    isBusy,
    canSend,
    add,
    ask,
    askDraft,
    run,
    keep,
    drop,
    readOutbox,
    receive,
    setState,
    setDraft,
    setOpen,
    openForm,
    forget,
    forgetVisitor,
  }
}
