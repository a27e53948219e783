import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import { ApiError } from '../app/api/api.ts'
import { useApp } from '../app/app-context.ts'
import type { ReadingWords } from '../locales/en/parts/reading.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { explainReading } from './reading-problems.ts'
import './knowledge.css'

const ACCEPTED = '.md,.markdown,.html,.htm,.txt,.pdf,.docx'

/** A field for files, by drag and drop or by the file dialog. Uploads one after the other. */
export function FileDrop({
  tenantId,
  words: { files: words, states },
  onAdded,
}: {
  tenantId: string
  words: Pick<ReadingWords, 'files' | 'states'>
  onAdded: () => unknown
}): VNode {
  const { api, toasts, explain } = useApp()
  const input = useRef<HTMLInputElement>(null)
  const isOver = useSignal(false)
  const current = useSignal('')

  async function send(files: readonly File[]): Promise<void> {
    for (const file of files) {
      current.value = file.name
      const form = new FormData()
      form.append('file', file)
      try {
        await api.upload(`tenants/${tenantId}/knowledge`, form)
        toasts.done(words.added(file.name))
      } catch (error) {
        // There is no field to mark: the sentence has to say what is wrong with the file.
        const [field] = error instanceof ApiError ? error.fields : []
        const why = field && explainReading(field.message, states.problems)
        toasts.failed(`${file.name}: ${why ?? explain(error)}`)
      }
      await onAdded()
    }
    current.value = ''
  }

  return (
    <div
      class={isOver.value ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault()
        isOver.value = true
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        event.preventDefault()
        isOver.value = false
        void send([...(event.dataTransfer?.files ?? [])])
      }}
    >
      <Icon name="upload" />
      <p role="status">{current.value === '' ? words.drop : words.uploading(current.value)}</p>
      <p class="soft small">{words.kinds}</p>
      <Button small onPress={() => input.current?.click()}>
        {words.choose}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={ACCEPTED}
        aria-label={words.choose}
        onChange={(event) => void send([...(event.currentTarget.files ?? [])])}
      />
    </div>
  )
}
