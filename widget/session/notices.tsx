import type { ReadonlySignal } from '../runtime/signals.ts'
import type { LazyStrings } from '../locales/strings.lazy.ts'
import type { Forms } from './forms.ts'
import { createAgo } from './timestamps.tsx'
import type { Draw, View } from '../ui/app-context.ts'

interface Waiting {
  countdown: ReadonlySignal<number>
  isRetrying: ReadonlySignal<boolean>
}

/** What became of the last message, and what can be done about it. */
export function drawNotices(view: View, strings: LazyStrings, waiting: Waiting): Draw {
  const { chat } = view
  const ago = createAgo(view)
  const texts = { ...strings, failed: view.strings.failed, offline: view.strings.offline }
  return () => {
    const sendError = chat.sendError.value
    const state = chat.state.value
    if (sendError !== undefined) {
      const canRetry = sendError !== 'unpaid' && sendError !== 'refused'
      return (
        <p class={sendError === 'unpaid' ? 'offer' : 'trouble'} role="alert">
          {texts[sendError]}
          {canRetry && <button onClick={() => void chat.run()}>{view.strings.retry}</button>}
        </p>
      )
    }
    if (waiting.countdown.value > 0)
      return <p class="note">{strings.waiting(waiting.countdown.value)}</p>
    if (waiting.isRetrying.value) return <p class="note">{strings.retrying}</p>
    // The service says so itself, where it was asked for a person.
    const isSaid = chat.lines.value.some(({ role }) => role === 'system')
    const since = chat.answer.value === undefined ? ago() : undefined
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
export function drawOffer({ chat, config }: View, strings: LazyStrings, forms: Forms): Draw {
  return () => {
    const offer = chat.offer.value
    const isLead = offer === 'lead'
    if (!offer || chat.form.value || chat.isBusy()) return null
    if (isLead && (forms.isKnown.value || !config?.forms.lead.enabled)) return null
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
