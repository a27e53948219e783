import { signal } from '../runtime/signals.ts'
import type { Attachment, HistoryMessage } from '../../server/chat/schema.ts'
import type { LazyStrings } from '../locales/strings.lazy.ts'
import type { Continuity } from '../session/continuity.tsx'
import type { AppContext } from '../ui/app-context.ts'
import { Icon } from '../ui/icon.tsx'
import css from './files.css?inline'

const TYPES = 'image/png,image/jpeg,image/webp,image/gif,application/pdf'

/** Sends files, and opens those of the conversation. For sites that take files. */
export function start(
  { host, chat, ui }: AppContext,
  strings: LazyStrings,
  { history }: Pick<Continuity, 'history'>,
): void {
  const { api, storage } = host
  const isSending = signal(false)
  const hasFailed = signal(false)

  async function send(input: HTMLInputElement): Promise<void> {
    const [file] = input.files ?? []
    if (!file || isSending.peek()) return
    const body = new FormData()
    body.append('file', file)
    isSending.value = true
    hasFailed.value = false
    try {
      const path = `chatbot/sessions/${storage.get('session')}/attachments`
      const response = await api.ask(path, { method: 'POST', body })
      const message: HistoryMessage = await response.json()
      history.merge(message)
    } catch {
      hasFailed.value = true
    }
    input.value = ''
    isSending.value = false
  }

  /** The file needs the visitor's token, which a plain link cannot carry. */
  async function open({ attachment_id, name }: Attachment): Promise<void> {
    try {
      const response = await api.ask(`attachments/${attachment_id}`)
      const url = URL.createObjectURL(await response.blob())
      const link = document.createElement('a')
      link.href = url
      link.download = name
      link.click()
      setTimeout(() => URL.revokeObjectURL(url), 60_000)
    } catch {
      hasFailed.value = true
    }
  }

  ui.addStyles(css)
  ui.addSlots({
    // The first message has no session until it is answered.
    attach: () =>
      chat.lines.value.length > 1 &&
      chat.state.value !== 'closed' && (
        <label class="attach round" title={strings.attach}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="m20 11-8 8a5 5 0 0 1-7-7l8-8a3.5 3.5 0 0 1 5 5l-8 8a2 2 0 0 1-3-3l7-7" />
          </svg>
          <input
            class="sr"
            type="file"
            accept={TYPES}
            aria-label={strings.attach}
            disabled={isSending.value}
            onChange={(event) => void send(event.currentTarget)}
          />
        </label>
      ),
  })
  ui.addAfter(
    () =>
      hasFailed.value && (
        <p class="note wrong" role="alert">
          {strings.fileFailed}
        </p>
      ),
  )
  ui.addAfter(
    () =>
      history.files.value.length > 0 && (
        <ul class="sources" aria-label={strings.files}>
          {history.files.value.map((file) => (
            <li key={file.attachment_id}>
              <button onClick={() => void open(file)}>
                <Icon name="page" />
                <bdi>{file.name}</bdi>
              </button>
            </li>
          ))}
        </ul>
      ),
  )
}
