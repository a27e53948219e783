import { batch, signal } from '../runtime/signals.ts'
import type { WidgetConfig } from '../../server/tenants/schema.ts'
import type { Refusal } from '../chat/api.ts'
import type { Attempt, Chat } from '../chat/chat.ts'
import type { WidgetStorage } from '../host/storage.ts'
import { newId } from '../chat/new-id.ts'
import { yieldToMain } from '../runtime/yield.ts'

/** Automatic tries of one message: after a 429, and after a failure. */
const MAX_TRIES = 90
const MAX_FAILURES = 4
const DEFAULT_WAIT_SECONDS = 5
const SECOND_MS = 1_000

interface RecoveryDeps {
  chat: Pick<Chat, 'keep' | 'drop' | 'answer' | 'openForm'>
  storage: WidgetStorage
  config: WidgetConfig | undefined
  /** Whether the page is being left or the widget taken out of it. */
  isOver(): boolean
  isOnline(): boolean
}

/** Decides about a message that was refused, rate-limited, or lost on its way. */
export function createRecovery({ chat, storage, config, isOver, isOnline }: RecoveryDeps) {
  /** Seconds until a rate-limited message is sent again; 0 when none waits. */
  const countdown = signal(0)
  /** Whether a message that failed is tried again; until its answer comes. */
  const isRetrying = signal(false)
  let failures = 0

  async function countDown(seconds: number): Promise<void> {
    for (let left = Math.max(1, seconds); left > 0 && !isOver(); left--) {
      countdown.value = left
      await yieldToMain(SECOND_MS)
    }
    countdown.value = 0
  }

  /** The message begins a new conversation: its own is gone, closed or another visitor's. */
  function moveToNewSession(attempt: Attempt): Attempt {
    const { session_id: _gone, ...message } = attempt.message
    const moved: Attempt = { ...attempt, id: newId(), message }
    storage.set('session', undefined)
    chat.keep(moved)
    return moved
  }

  /** Drops a message that the server will refuse on every try. */
  function abandon(attempt: Attempt, { status, problem }: Refusal): undefined {
    if (problem.session_id) storage.set('session', problem.session_id)
    batch(() => {
      chat.drop(attempt)
      chat.answer.value = undefined
      if (status === 402 && config?.forms.lead.enabled) chat.openForm('lead')
    })
  }

  /** @returns the attempt to make next, or undefined when the visitor has to decide. */
  async function recover(
    attempt: Attempt,
    refusal: Refusal,
    tries: number,
  ): Promise<Attempt | undefined> {
    const { status, code, retryAfter } = refusal
    if (tries === 0) failures = 0
    if (isOver() || tries > MAX_TRIES) return undefined
    if (status === 429) {
      await countDown(retryAfter ?? DEFAULT_WAIT_SECONDS)
      return attempt
    }
    if (retryAfter !== undefined && (status === 409 || status === 402)) {
      await yieldToMain(retryAfter * SECOND_MS)
      return attempt
    }
    const { session_id } = attempt.message
    if ((status === 404 || status === 409) && session_id !== undefined)
      return moveToNewSession(attempt)
    if (status === 402 || status === 413 || status === 422) return abandon(attempt, refusal)
    const isFailed = status >= 500 || code.startsWith('model_')
    const isSilent = code === 'silent'
    const isLost = code === 'cut' || isSilent || (code === 'offline' && isOnline())
    if (!(isFailed || isLost) || failures >= MAX_FAILURES) return undefined
    isRetrying.value = isFailed || isSilent
    // Not all browsers at once after a restart of the server.
    const backOff = 2 ** failures * (0.75 + Math.random() / 2)
    // Silence takes so long that it is tried only once more.
    failures += isSilent ? MAX_FAILURES : 1
    await yieldToMain(Math.max(retryAfter ?? 0, backOff) * SECOND_MS)
    return isOver() ? undefined : attempt
  }

  return { recover, countdown, isRetrying }
}
