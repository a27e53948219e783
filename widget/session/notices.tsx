import type { ReadonlySignal } from '../runtime/signals.ts'
import type { MoreWords } from '../locales/strings.lazy.ts'
import type { Forms } from './forms.ts'
import { createAgo } from './timestamps.tsx'
import type { Draw, View } from '../ui/app-context.ts'

interface Waiting {
  countdown: ReadonlySignal<number>
  isRetrying: ReadonlySignal<boolean>
}

/** What became of the last message, and what can be done about it. */
export function drawNotices(view: View, words: MoreWords, waiting: Waiting): Draw {
  const { chat } = view
  const ago = createAgo(view)
  const texts = { ...words, failed: view.words.failed, offline: view.words.offline }
  return () => {
    const trouble = chat.trouble.value
    const state = chat.state.value
    if (trouble !== undefined) {
      const canRetry = trouble !== 'unpaid' && trouble !== 'refused'
      return (
        <p class={trouble === 'unpaid' ? 'offer' : 'trouble'} role="alert">
          {texts[trouble]}
          {canRetry && <button onClick={() => void chat.run()}>{view.words.retry}</button>}
        </p>
      )
    }
    if (waiting.countdown.value > 0)
      return <p class="note">{words.waiting(waiting.countdown.value)}</p>
    if (waiting.isRetrying.value) return <p class="note">{words.retrying}</p>
    // The service says so itself, where it was asked for a person.
    const isSaid = chat.said.value.some(({ role }) => role === 'system')
    const since = chat.answer.value === undefined ? ago() : undefined
    return (
      <>
        {since && <p class="ago">{since}</p>}
        {state === 'waiting' && !isSaid && <p class="note">{words.withPeople}</p>}
        {state === 'closed' && !isSaid && <p class="note">{words.closed}</p>}
      </>
    )
  }
}

/** The form that fits the conversation, on offer. */
export function drawOffer({ chat, config }: View, words: MoreWords, forms: Forms): Draw {
  return () => {
    const offer = chat.offer.value
    const isLead = offer === 'lead'
    if (!offer || chat.form.value || chat.isBusy()) return null
    if (isLead && (forms.isKnown.value || !config?.forms.lead.enabled)) return null
    return (
      <p class="offer">
        {isLead ? words.contactOffer : words.bookOffer}
        <button onClick={() => chat.openForm(offer)}>
          {isLead ? words.contactOpen : words.bookOpen}
        </button>
      </p>
    )
  }
}
