import type { VNode } from 'preact'
import type { HistoryMessage, Session } from '../../server/chat/schema.ts'
import { signal } from '../runtime/signals.ts'
import type { LazyStrings } from '../locales/strings.lazy.ts'
import type { Continuity } from '../session/continuity.tsx'
import type { AppContext } from '../ui/app-context.ts'

/** A few: the first message of each is asked for, and the calls of a visitor are limited. */
const MAX_SHOWN = 6

interface PastSession {
  id: string
  at: string
  /** Its first message of the visitor. */
  text: string
}

interface Verbs extends Pick<Continuity, 'history'> {
  close(): void
  attempt(work: () => Promise<void>): Promise<void>
}

/** The visitor's earlier conversations with the site, to read and go on with. */
export function createPast(
  { host, chat, ui }: AppContext,
  strings: LazyStrings,
  { history, close, attempt }: Verbs,
) {
  const { api, storage } = host
  const found = signal<PastSession[] | undefined>(undefined)
  const date = new Intl.DateTimeFormat(ui.strings.tag, { dateStyle: 'medium', timeStyle: 'short' })

  async function summarize({ session_id: id, created_at: at }: Session): Promise<PastSession> {
    const response = await api.ask(`chatbot/sessions/${id}/messages?limit=5`)
    const { data }: { data: HistoryMessage[] } = await response.json()
    return { id, at, text: data.find(({ role }) => role === 'visitor')?.content ?? '' }
  }

  const load = (): Promise<void> =>
    attempt(async () => {
      found.value = undefined
      const response = await api.ask(`chatbot/sessions?limit=${MAX_SHOWN + 1}`)
      const { data }: { data: Session[] } = await response.json()
      const others = data.filter(({ session_id }) => session_id !== storage.get('session'))
      const past = await Promise.all(others.slice(0, MAX_SHOWN).map(summarize))
      found.value = past.filter(({ text }) => text !== '')
    })

  function goOn(id: string): void {
    chat.forget()
    storage.set('session', id)
    close()
    void history.load()
  }

  const draw = (take: (title: HTMLElement | null) => void, problem: () => VNode): VNode => (
    <section key="past" class="form past" aria-labelledby="past">
      <h3 id="past" tabIndex={-1} ref={take}>
        {strings.past}
      </h3>
      {problem()}
      {found.value?.length === 0 && <p>{strings.noPast}</p>}
      {found.value?.map(({ id, at, text }) => (
        <button key={id} onClick={() => goOn(id)}>
          <span dir="auto">{text}</span>
          <small>{date.format(new Date(at))}</small>
        </button>
      ))}
      <div class="actions">
        <button class="cancel" onClick={() => close()}>
          {strings.done}
        </button>
      </div>
    </section>
  )
  return { load, draw }
}
