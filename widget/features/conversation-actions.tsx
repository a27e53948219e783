import { signal } from '../runtime/signals.ts'
import type { VNode } from 'preact'
import { Refusal } from '../chat/api.ts'
import type { LazyStrings } from '../locales/strings.lazy.ts'
import { createPast } from './past.tsx'
import type { Continuity } from '../session/continuity.tsx'
import type { AppContext } from '../ui/app-context.ts'

/** Long enough for a browser to have started the download. */
const DOWNLOAD_URL_TTL_MS = 60_000

/** Actions of the menu on the conversation: the transcript by mail, and the visitor's own data. */
export function createConversationActions(
  { host, chat, ui }: AppContext,
  strings: LazyStrings,
  { forms, history }: Pick<Continuity, 'forms' | 'history'>,
) {
  const { api, storage } = host
  const sheet = signal<'transcript' | 'data' | 'past' | undefined>(undefined)
  const text = signal('')
  const error = signal('')
  const isSure = signal(false)
  const path = (): string => `chatbot/sessions/${storage.get('session')}`

  function note(said: string): void {
    text.value = said
    ui.announce(said)
  }

  function close(said = ''): void {
    sheet.value = undefined
    if (said) note(said)
    ui.focusInput()
  }

  const explain = (refusal: unknown): string => {
    if (!(refusal instanceof Refusal)) return strings.failed
    if (refusal.status === 0) return strings.offline
    if (refusal.status === 429) return strings.contact.wait(refusal.retryAfter ?? 60)
    return refusal.status === 422 ? strings.contact.badEmail : strings.failed
  }

  /** Runs one thing of the sheet and says in it when that fails. */
  async function attempt(work: () => Promise<void>): Promise<void> {
    error.value = ''
    await work().catch((refusal: unknown) => (error.value = explain(refusal)))
  }

  const sendTranscript = (email: string): Promise<void> =>
    attempt(async () => {
      await api.post(`${path()}/transcript`, { email })
      close(strings.transcriptSent(email))
    })

  const download = (): Promise<void> =>
    attempt(async () => {
      const response = await api.ask(`${path()}/export`)
      const url = URL.createObjectURL(await response.blob())
      const link = document.createElement('a')
      link.href = url
      link.download = `${host.tenant}.json`
      link.click()
      setTimeout(() => URL.revokeObjectURL(url), DOWNLOAD_URL_TTL_MS)
    })

  const erase = (): Promise<void> =>
    attempt(async () => {
      if (!isSure.peek()) return void (isSure.value = true)
      await api.ask(path(), { method: 'DELETE' })
      chat.forgetVisitor()
      close(strings.erased)
    })

  const past = createPast({ host, chat, ui }, strings, { history, close, attempt })

  const take = (element: HTMLElement | null): void => {
    element?.focus()
    element?.scrollIntoView({ block: 'nearest' })
  }

  const problem = (): VNode => (
    <p class="wrong" id="sheet-error" role="alert">
      {error.value}
    </p>
  )

  const transcript = (): VNode => (
    <form
      key="transcript"
      class="form"
      noValidate
      aria-labelledby="transcript"
      onSubmit={(event) => {
        event.preventDefault()
        const email = new FormData(event.currentTarget).get('email')
        void sendTranscript(typeof email === 'string' ? email.trim() : '')
      }}
    >
      <h3 id="transcript">{strings.transcript}</h3>
      <label for="mail">{strings.email}</label>
      <input
        id="mail"
        name="email"
        type="email"
        autocomplete="email"
        required
        maxLength={254}
        aria-invalid={error.value !== ''}
        aria-describedby="sheet-error"
        ref={take}
        defaultValue={forms.contact().email ?? ''}
      />
      {problem()}
      <div class="actions">
        <button type="button" class="cancel" onClick={() => close()}>
          {strings.cancel}
        </button>
        <button class="submit">{strings.send}</button>
      </div>
    </form>
  )

  const data = (): VNode => (
    <section key="data" class="form" aria-labelledby="data">
      <h3 id="data" tabIndex={-1} ref={take}>
        {strings.data}
      </h3>
      <p>{strings.dataShown}</p>
      {problem()}
      <div class="actions">
        <button type="button" class="cancel" onClick={() => void download()}>
          {strings.download}
        </button>
        <button type="button" class="cancel danger" onClick={() => void erase()}>
          {isSure.value ? strings.eraseSure : strings.erase}
        </button>
      </div>
      <div class="actions">
        <button type="button" class="cancel" onClick={() => close()}>
          {strings.done}
        </button>
      </div>
    </section>
  )

  ui.addAfter(() => (
    <>
      {text.value && <p class="note">{text.value}</p>}
      {sheet.value === 'transcript' && transcript()}
      {sheet.value === 'data' && data()}
      {sheet.value === 'past' && past.draw(take, problem)}
    </>
  ))
  return {
    note,
    open(which: 'transcript' | 'data' | 'past'): void {
      text.value = error.value = ''
      isSure.value = false
      sheet.value = which
      if (which === 'past') void past.load()
    },
  }
}
