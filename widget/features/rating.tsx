import { signal } from '../runtime/signals.ts'
import type { LazyStrings } from '../locales/strings.lazy.ts'
import css from './rating.css?inline'
import type { AppContext } from '../ui/app-context.ts'

/** Asks, once a conversation has ended, how it was: one to five, and a word about it. */
export function start({ host, chat, ui }: AppContext, strings: LazyStrings): void {
  const { api, storage } = host
  const session = storage.get('session')
  const chosen = signal(0)
  const result = signal<'none' | 'failed' | 'sent'>('none')

  async function submit(form: HTMLFormElement): Promise<void> {
    const comment = new FormData(form).get('comment')
    const said = typeof comment === 'string' ? comment.trim() : ''
    try {
      await api.post(`chatbot/sessions/${session}/feedback`, {
        rating: chosen.peek(),
        ...(said === '' ? {} : { comment: said }),
      })
      result.value = 'sent'
      ui.announce(strings.rated)
      ui.focusInput()
    } catch {
      result.value = 'failed'
    }
  }

  ui.addStyles(css)
  ui.addAfter(() => {
    if (chat.state.value !== 'closed' || storage.get('session') !== session) return null
    if (result.value === 'sent') return <p class="note">{strings.rated}</p>
    return (
      <form
        class="form rating"
        onSubmit={(event) => {
          event.preventDefault()
          void submit(event.currentTarget)
        }}
      >
        <fieldset role="radiogroup" aria-labelledby="rate">
          <legend id="rate">{strings.rate}</legend>
          {strings.stars.map((name, index) => (
            <label key={name} title={name} class={index < chosen.value ? 'lit' : ''}>
              <input
                type="radio"
                name="rating"
                aria-label={name}
                checked={chosen.value === index + 1}
                onChange={() => (chosen.value = index + 1)}
              />
              <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d="m12 3 2.7 5.6 6.1.9-4.4 4.3 1 6.1-5.4-2.9-5.4 2.9 1-6.1L3.2 9.5l6.1-.9Z" />
              </svg>
            </label>
          ))}
        </fieldset>
        {chosen.value > 0 && (
          <>
            <p class="chosen">{strings.stars[chosen.value - 1]}</p>
            <label for="comment">{strings.comment}</label>
            <textarea id="comment" name="comment" rows={2} maxLength={1_000} dir="auto" />
            {result.value === 'failed' && (
              <p class="wrong" role="alert">
                {strings.failed}
              </p>
            )}
            <div class="actions">
              <button class="submit">{strings.send}</button>
            </div>
          </>
        )}
      </form>
    )
  })
}
