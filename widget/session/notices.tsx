import type { ReadonlySignal } from '../runtime/signals.ts'
import type { LazyStrings } from '../locales/strings.lazy.ts'
import type { Forms } from './forms.ts'
import { createElapsed } from './timestamps.tsx'
import type { RenderSlot, AppContext } from '../ui/app-context.ts'

interface Waiting {
  countdown: ReadonlySignal<number>
  isRetrying: ReadonlySignal<boolean>
}

/** Notices about the last message: its send error with a retry, the countdown, the handoff. */
export function createNotices(app: AppContext, strings: LazyStrings, waiting: Waiting): RenderSlot {
  const { chat, ui } = app
  const elapsed = createElapsed(app)
  const texts = { ...strings, failed: ui.strings.failed, offline: ui.strings.offline }
  return () => {
    const sendError = chat.sendError.value
    const state = chat.state.value
    if (sendError !== undefined) {
      const canRetry = sendError !== 'unpaid' && sendError !== 'refused'
      return (
        <p class={sendError === 'unpaid' ? 'offer' : 'trouble'} role="alert">
          {texts[sendError]}
          {canRetry && <button onClick={() => void chat.run()}>{ui.strings.retry}</button>}
        </p>
      )
    }
    if (waiting.countdown.value > 0)
      return <p class="note">{strings.waiting(waiting.countdown.value)}</p>
    if (waiting.isRetrying.value) return <p class="note">{strings.retrying}</p>
    // After a handoff a system message says so already.
    const isSaid = chat.lines.value.some(({ role }) => role === 'system')
    const since = chat.answer.value === undefined ? elapsed() : undefined
    return (
      <>
        {since && <p class="ago">{since}</p>}
        {state === 'waiting' && !isSaid && <p class="note">{strings.withPeople}</p>}
        {state === 'closed' && !isSaid && <p class="note">{strings.closed}</p>}
      </>
    )
  }
}

/** The form that fits the conversation, on offer. */
export function createOffer(
  { host, chat }: AppContext,
  strings: LazyStrings,
  forms: Forms,
): RenderSlot {
  return () => {
    const offer = chat.offer.value
    const isLead = offer === 'lead'
    if (!offer || chat.form.value || chat.isBusy()) return null
    if (isLead && (forms.isKnown.value || !host.config?.forms.lead.enabled)) return null
    return (
      <p class="offer">
        {isLead ? strings.contactOffer : strings.bookOffer}
        <button onClick={() => chat.openForm(offer)}>
          {isLead ? strings.contactOpen : strings.bookOpen}
        </button>
      </p>
    )
  }
}
