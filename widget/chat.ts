import { batch, signal } from '@preact/signals'
import type {
  Citation,
  HistoryMessage,
  SendMessage,
  Turn,
  WidgetConfig,
} from '../server/chat/schema.ts'
import type { SubmitLead } from '../server/leads/schema.ts'
import { type Api, Refusal } from './api.ts'
import { newId } from './new-id.ts'
import type { PageEvents } from './page-events.ts'
import { type Trouble, troubleOf } from './trouble.ts'
import type { Memory } from './memory.ts'

/** In Unicode code points, after trimming; as in `server/chat/schema.ts`. */
const LONGEST_MESSAGE = 4_000

/** One line of the conversation. `thanks` confirms the contact form; its text is the given name. */
export interface Said {
  id: string
  role: HistoryMessage['role'] | 'thanks'
  text: string
  citations: Citation[]
  /** Milliseconds since 1970. */
  at: number
}

/** A message on its way. It keeps its id and its body over every try, also after a reload. */
interface Attempt {
  id: string
  message: SendMessage
}

/** What the chat needs to know of the world around it. */
export interface Surroundings {
  api: Api
  memory: Memory
  emit: PageEvents['emit']
  tenant: string
  language: string
  config: WidgetConfig | undefined
  pageUrl(): string
}

export type Chat = ReturnType<typeof createChat>

/**
 * The conversation: what was said, what is under way, and the verbs that change it. A plain function,
 * because `createModel` would cost every visitor 0.3 KB.
 */
export function createChat(around: Surroundings) {
  const { api, memory, emit, tenant, language, config, pageUrl } = around
  const isOpen = signal(false)
  const said = signal<Said[]>([])
  /** The answer as far as it has come: empty while there is none yet, undefined when none is due. */
  const answer = signal<string | undefined>(undefined)
  const trouble = signal<Trouble | undefined>(undefined)
  /** Seconds until a message that the server put off is sent by itself; 0 when none waits. */
  const countdown = signal(0)
  const suggestions = signal(config?.quick_replies ?? [])
  const form = signal<'none' | 'offered' | 'open'>('none')
  const isWithPeople = signal(false)
  const hasLostHistory = signal(false)
  const unread = signal(0)
  const draft = signal(memory.get('draft') ?? '')
  const surplus = (): number => Math.max(0, [...draft.value.trim()].length - LONGEST_MESSAGE)
  const isBusy = (): boolean => answer.value !== undefined && trouble.value === undefined
  const canSend = (): boolean => !isBusy() && surplus() === 0 && draft.value.trim() !== ''
  const canRetry = (): boolean => trouble.value !== 'unpaid' && trouble.value !== 'refused'
  let isRestored = false
  let hasLead = false

  function add(message: Omit<Said, 'at'>): void {
    said.value = [...said.peek(), { ...message, at: Date.now() }]
  }

  function offerForm(how: 'offered' | 'open'): void {
    if (config?.forms.lead.enabled && !hasLead && form.peek() !== 'open') form.value = how
  }

  async function waitFor(seconds: number, shown: boolean): Promise<void> {
    for (let left = Math.max(1, seconds); left > 0; left--) {
      if (shown) countdown.value = left
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
    countdown.value = 0
  }

  function settle(turn: Turn): void {
    const { reply } = turn
    memory.set('pending', undefined)
    memory.set('session', turn.session_id)
    batch(() => {
      answer.value = undefined
      isWithPeople.value = turn.state === 'waiting' || turn.state === 'operator'
      suggestions.value = reply?.quick_replies ?? []
      if (form.peek() === 'offered') form.value = 'none'
      if (!reply) return
      const { message_id, content, citations } = reply
      add({ id: message_id, role: reply.role, text: content, citations })
      if (reply.form === 'lead') offerForm('offered')
      if (!isOpen.peek()) unread.value = unread.peek() + 1
    })
    if (!reply) return
    emit('message:received', { message_id: reply.message_id, text: reply.content })
    if (unread.peek() > 0) emit('unread', { count: unread.peek() })
  }

  /** @returns the attempt to make next, or undefined when the visitor has to decide. */
  async function nextAttempt(
    attempt: Attempt,
    refusal: Refusal,
    tries: number,
  ): Promise<Attempt | undefined> {
    const { status, retryAfter } = refusal
    const isShort = (status === 409 || status === 402) && tries < 10
    if (retryAfter !== undefined && (status === 429 || isShort)) {
      await waitFor(retryAfter, status === 429)
      return attempt
    }
    // The conversation is gone, closed or another visitor's: the message begins a new one.
    if ((status === 404 || status === 409) && attempt.message.session_id !== undefined) {
      memory.set('session', undefined)
      const { session_id: _gone, ...message } = attempt.message
      return { id: newId(), message }
    }
    return undefined
  }

  async function deliver(first: Attempt): Promise<void> {
    let attempt: Attempt | undefined = first
    for (let tries = 0; attempt; tries++) {
      memory.set('pending', JSON.stringify(attempt))
      batch(() => {
        answer.value = ''
        trouble.value = undefined
      })
      try {
        settle(await api.send(attempt.id, attempt.message, (delta) => (answer.value += delta)))
        return
      } catch (error) {
        const refusal = error instanceof Refusal ? error : new Refusal(0, 'internal')
        attempt = await nextAttempt(attempt, refusal, tries)
        if (!attempt) fail(refusal)
      }
    }
  }

  function fail(refusal: Refusal): void {
    const kind = troubleOf(refusal)
    const { session_id } = refusal.problem
    if (session_id !== undefined) memory.set('session', session_id)
    if (kind === 'unpaid' || kind === 'refused') memory.set('pending', undefined)
    batch(() => {
      trouble.value = kind
      if (kind === 'unpaid') offerForm('open')
    })
    emit('error', { code: refusal.code })
  }

  function setDraft(text: string): void {
    draft.value = text
    // Nothing is stored before the first message.
    if (memory.get('token') !== undefined) memory.set('draft', text || undefined)
  }

  /** Sends a message. Does nothing while an answer is under way. */
  async function ask(text: string): Promise<void> {
    const message = text.trim()
    if (message === '' || isBusy() || [...message].length > LONGEST_MESSAGE) return
    const id = newId()
    const session_id = memory.get('session')
    batch(() => {
      add({ id, role: 'visitor', text: message, citations: [] })
      suggestions.value = []
    })
    emit('message:sent', { message_id: id, text: message })
    await deliver({
      id,
      message: {
        tenant_id: tenant,
        message,
        stream: true,
        locale: language,
        page_url: pageUrl(),
        ...(session_id === undefined ? {} : { session_id }),
      },
    })
  }

  /** Sends what is in the input. */
  async function askDraft(): Promise<void> {
    if (!canSend()) return
    const text = draft.peek()
    setDraft('')
    await ask(text)
  }

  function findPending(): Attempt | undefined {
    const kept = memory.get('pending')
    return kept === undefined ? undefined : JSON.parse(kept)
  }

  /** Tries the last message again, under the same id. */
  async function retry(): Promise<void> {
    const attempt = findPending()
    if (attempt && !isBusy()) await deliver(attempt)
  }

  async function loadHistory(session: string): Promise<void> {
    try {
      const messages = await api.history(session)
      const earlier = messages.map((message) => ({
        id: message.message_id,
        role: message.role,
        text: message.content,
        citations: message.citations,
        at: Date.parse(message.created_at),
      }))
      batch(() => {
        said.value = [...earlier, ...said.peek()]
        hasLostHistory.value = false
        if (earlier.length > 0) suggestions.value = []
      })
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) memory.set('session', undefined)
      else hasLostHistory.value = true
    }
  }

  /** Brings back the conversation of an earlier page, and what was on its way when it was left. */
  async function restore(): Promise<void> {
    if (isRestored) return
    isRestored = true
    const session = memory.get('session')
    const attempt = findPending()
    if (session !== undefined) await loadHistory(session)
    if (!attempt || isBusy()) return
    const { message } = attempt.message
    const last = said.peek().findLastIndex((line) => line.role === 'visitor')
    const isStored = last >= 0 && said.peek()[last]?.text === message
    if (isStored) said.value = said.peek().slice(0, last)
    add({ id: attempt.id, role: 'visitor', text: message, citations: [] })
    await deliver(attempt)
  }

  function setOpen(open: boolean): void {
    batch(() => {
      isOpen.value = open
      if (open) unread.value = 0
    })
  }

  /** Stores what the visitor gave in the contact form. @throws Refusal */
  async function sendLead(id: string, lead: SubmitLead): Promise<void> {
    const session = memory.get('session') ?? (await api.openSession())
    memory.set('session', session)
    await api.sendLead(session, id, lead)
    hasLead = true
    batch(() => {
      form.value = 'none'
      if (trouble.peek() === 'unpaid') {
        trouble.value = undefined
        answer.value = undefined
      }
      add({ id, role: 'thanks', text: lead.name, citations: [] })
    })
  }

  const openForm = (): void => offerForm('open')
  const closeForm = (): void => void (form.value = 'none')
  /** Back to the offer: the form could not be loaded. */
  const withdrawForm = (): void => void (form.value = 'offered')

  return {
    isOpen,
    said,
    answer,
    trouble,
    countdown,
    suggestions,
    form,
    isWithPeople,
    hasLostHistory,
    unread,
    draft,
    surplus,
    isBusy,
    canSend,
    canRetry,
    ask,
    askDraft,
    retry,
    restore,
    setDraft,
    setOpen,
    sendLead,
    openForm,
    closeForm,
    withdrawForm,
  }
}
