import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import type { ImportedActions } from '../../../server/actions/schema.ts'
import { useApp } from '../../app/app-context.ts'
import type { Words } from '../../locales/en/actions.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { PlainArea } from '../../ui/plain-field.tsx'
import { operationsOf } from './operations.ts'

export interface ImportDialogProps {
  base: string
  words: Words
  onImported: () => unknown
  onClose: () => void
}

/** Makes actions of the operations of an OpenAPI document: chosen here, and off until they are tested. */
export function ImportDialog({ base, words, onImported, onClose }: ImportDialogProps): VNode {
  const { api, format } = useApp()
  const form = useForm()
  const file = useRef<HTMLInputElement>(null)
  const text = useSignal('')
  const wrong = useSignal('')
  const chosen = useSignal<ReadonlySet<string>>(new Set())
  const result = useSignal<ImportedActions | undefined>(undefined)
  const operations = operationsOf(text.value)

  function read(typed: string): void {
    text.value = typed
    wrong.value = ''
    chosen.value = new Set()
  }

  async function send(): Promise<void> {
    if (operations.length === 0) {
      wrong.value = words.import.noDocument
      return
    }
    result.value = await api.post<ImportedActions>(`${base}/import`, {
      document: JSON.parse(text.value),
      operations: [...chosen.value],
    })
    await onImported()
  }

  if (result.value) {
    const { data, skipped } = result.value
    return (
      <Dialog title={words.import.title} wide onClose={onClose}>
        <div class="stack">
          <p>{words.import.made(data.length, format.value.number(data.length))}</p>
          {skipped.length > 0 && (
            <>
              <h3>{words.import.skipped}</h3>
              <ul class="stack tight">
                {skipped.map(({ operation, reason }) => (
                  <li key={operation}>
                    <code>{operation}</code> <span class="soft">{reason}</span>
                  </li>
                ))}
              </ul>
            </>
          )}
          <div class="dialog-actions">
            <Button kind="primary" onPress={onClose}>
              {words.import.done}
            </Button>
          </div>
        </div>
      </Dialog>
    )
  }
  const error = wrong.value || form.errorUnder('/document')
  return (
    <Dialog title={words.import.title} wide onClose={onClose}>
      <Form form={form} send={send} action={words.import.send(chosen.value.size)}>
        <p class="soft small">{words.import.text}</p>
        <div class="row">
          <Button small icon="file" onPress={() => file.current?.click()}>
            {words.import.file}
          </Button>
          <input
            ref={file}
            type="file"
            hidden
            accept=".json,application/json"
            aria-label={words.import.file}
            onChange={(event) => void event.currentTarget.files?.[0]?.text().then(read)}
          />
        </div>
        <PlainArea
          label={words.import.document}
          value={text.value}
          error={error || undefined}
          onInput={read}
        />
        {operations.length > 0 && (
          <fieldset class="operations">
            <legend>{words.import.choose}</legend>
            {operations.map(({ id, label, title }) => (
              <label key={id} class="check">
                <input
                  type="checkbox"
                  checked={chosen.value.has(id)}
                  onChange={(event) => {
                    const next = new Set(chosen.value)
                    if (event.currentTarget.checked) next.add(id)
                    else next.delete(id)
                    chosen.value = next
                  }}
                />
                <span>
                  {title} <code class="soft">{label}</code>
                </span>
              </label>
            ))}
          </fieldset>
        )}
      </Form>
    </Dialog>
  )
}
