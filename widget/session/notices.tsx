import type { ReadonlySignal } from '../runtime/signals.ts'
import type { LazyStrings } from '../locales/strings.lazy.ts'
import type { Forms } from './forms.ts'
import { createElapsed } from './timestamps.tsx'
import type { RenderSlot, AppContext } from '../ui/app-context.ts'

interface RecoveryState {
  countdown: ReadonlySignal<number>
  isRetrying: ReadonlySignal<boolean>
}

/** Notices about the last message: its send error with a retry, the countdown, the handoff. */
export function createNotices(
  app: AppContext,
  strings: LazyStrings,
  recovery: RecoveryState,
): RenderSlot {
  const { chat, ui } = app
  const elapsed = createElapsed(app)
  const texts = { ...strings, failed: ui.strings.failed, offline: ui.strings.offline }
  return () => {
    const sendError = chat.sendError.value
    const state = chat.state.value
    if (sendError !== undefined) {
      const canRetry = sendError !== 'unpaid' && sendError !== 'refused'
      return (
        <p class={sendError === 'unpaid' ? 'thanks' : 'trouble'} role="alert">
          {texts[sendError]}
          {canRetry && <button onClick={() => void chat.run()}>{ui.strings.retry}</button>}
        </p>
      )
    }
    if (recovery.countdown.value > 0)
      return <p class="note">{strings.waiting(recovery.countdown.value)}</p>
    if (recovery.isRetrying.value) return <p class="note">{strings.retrying}</p>
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

/** Actions that fit the conversation: a form, and a person where the bot had no answer. */
export function createOffer(
  { host, chat }: AppContext,
  strings: LazyStrings,
  forms: Forms,
): RenderSlot {
  const { config } = host
  return () => {
    const offer = chat.offer.value
    if (!offer || chat.form.value || chat.isBusy()) return null
    const actions: { name: string; run: () => void }[] = []
    // Where nobody is free, a notice of the system said so just now.
    const isRefused = chat.lines.value.at(-1)?.role === 'assistant' && chat.state.value === 'bot'
    const isSuggested = chat.suggestions.value.includes(strings.handoff)
    if (offer === 'appointment')
      actions.push({ name: strings.bookOpen, run: () => chat.openForm(offer) })
    else {
      if (isRefused && config?.handoff !== 'off' && !isSuggested)
        actions.push({ name: strings.handoff, run: () => void chat.ask(strings.handoff) })
      if (config?.forms.lead.enabled && !forms.isKnown.value)
        actions.push({ name: strings.contactOpen, run: () => chat.openForm(offer) })
    }
    if (actions.length === 0) return null
    return (
      <div class="suggestions offer" role="group" aria-label={strings.offers}>
        {actions.map(({ name, run }) => (
          <button key={name} onClick={run}>
            {name}
          </button>
        ))}
      </div>
    )
  }
}
