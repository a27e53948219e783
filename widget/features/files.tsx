import { signal } from '../runtime/signals.ts'
import type { Attachment, HistoryMessage } from '../../server/chat/schema.ts'
import type { LazyStrings } from '../locales/strings.lazy.ts'
import type { Continuity } from '../session/continuity.tsx'
import type { AppContext } from '../ui/app-context.ts'

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

  ui.addAfter(() => {
    if (chat.lines.value.length === 0 || chat.state.value === 'closed') return null
    return (
      <div class="note">
        {history.files.value.map((file) => (
          <button key={file.attachment_id} onClick={() => void open(file)}>
            <bdi>{file.name}</bdi>
          </button>
        ))}
        <label>
          {strings.attach}
          <input
            type="file"
            accept={TYPES}
            disabled={isSending.value}
            onChange={(event) => void send(event.currentTarget)}
          />
        </label>
        {hasFailed.value && (
          <p class="wrong" role="alert">
            {strings.fileFailed}
          </p>
        )}
      </div>
    )
  })
}
