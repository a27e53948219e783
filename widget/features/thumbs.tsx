import type { VNode } from 'preact'
import { signal } from '../runtime/signals.ts'
import type { LazyStrings } from '../locales/strings.lazy.ts'
import css from './thumbs.css?inline'
import type { AppContext } from '../ui/app-context.ts'

/** A thumb under the bot's latest answer; a thumb down asks what was missing. */
export function start({ host, chat, ui }: AppContext, strings: LazyStrings): void {
  const { api, storage } = host
  /** The rated answer, and whether the visitor has also said why. */
  const rated = signal<{ id: string; rating: 'up' | 'down'; isSaid: boolean } | undefined>(
    undefined,
  )

  async function rate(id: string, rating: 'up' | 'down', comment?: string): Promise<void> {
    rated.value = { id, rating, isSaid: comment !== undefined }
    try {
      await api.post(`chatbot/sessions/${storage.get('session')}/feedback`, {
        message_id: id,
        rating,
        ...(comment ? { comment } : {}),
      })
      if (rating === 'up' || comment !== undefined) ui.announce(strings.rated)
    } catch {
      rated.value = undefined
      ui.announce(strings.failed)
    }
  }

  ui.addStyles(css)
  ui.addAfter(() => {
    const last = chat.lines.value.at(-1)
    const isAnswer = last?.role === 'assistant' && chat.state.value === 'bot'
    // A refusal has its own actions.
    const isOffered = chat.offer.value === 'lead'
    if (!isAnswer || isOffered || chat.answer.value !== undefined) return null
    const { id } = last
    const given = rated.value?.id === id ? rated.value : undefined
    const thumb = (rating: 'up' | 'down', name: string): VNode => (
      <button
        class={rating}
        aria-label={name}
        title={name}
        aria-pressed={given?.rating === rating}
        onClick={() => void rate(id, rating)}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M7 11v9H4v-9Zm0 0 4-8q3 0 3 3v4h6l-2 10H7" />
        </svg>
      </button>
    )
    if (given?.isSaid) return <p class="note">{strings.rated}</p>
    return (
      <>
        <div class="thumbs">
          {thumb('up', strings.helpful)}
          {thumb('down', strings.notHelpful)}
        </div>
        {given?.rating === 'down' && (
          <form
            class="form"
            onSubmit={(event) => {
              event.preventDefault()
              const said = new FormData(event.currentTarget).get('missing')
              void rate(id, 'down', typeof said === 'string' ? said.trim() : '')
            }}
          >
            <label for="missing">{strings.missing}</label>
            <input id="missing" name="missing" maxLength={200} dir="auto" />
            <div class="actions">
              <button class="submit">{strings.send}</button>
            </div>
          </form>
        )}
      </>
    )
  })
}
