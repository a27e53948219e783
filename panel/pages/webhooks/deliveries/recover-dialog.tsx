import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { z } from 'zod'
import type { Recovered } from '../../../../server/subscriptions/schema.ts'
import { useApp } from '../../../app/app-context.ts'
import type { Words } from '../../../locales/en/webhooks.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form, useForm } from '../../../ui/form.tsx'

/** Sends everything again that failed since a time, as after an outage of the receiver. */
export function RecoverDialog({
  path,
  words,
  onSent,
  onClose,
}: {
  path: string
  words: Words
  onSent: () => void
  onClose: () => void
}): VNode {
  const { api, format, toasts } = useApp()
  const form = useForm()
  const since = useSignal(yesterday())

  async function send(): Promise<void> {
    // The server says what is missing when the field was emptied.
    const body = { since: since.value === '' ? '' : new Date(since.value).toISOString() }
    const { resent } = await api.post<z.infer<typeof Recovered>>(`${path}/recover`, body)
    toasts.done(words.sentAgain(resent, format.value.number(resent)))
    onSent()
  }

  return (
    <Dialog title={words.recoverTitle} onClose={onClose}>
      <Form form={form} send={send} done={onClose} action={words.sendAgain}>
        <TextField
          label={words.since}
          hint={words.recoverHint}
          value={since}
          type="datetime-local"
          error={form.errorOf('/since')}
        />
      </Form>
    </Dialog>
  )
}

/** This time yesterday, as a field of the browser wants it, in the reader's time zone. */
function yesterday(): string {
  const at = new Date(Date.now() - 86_400_000)
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}
