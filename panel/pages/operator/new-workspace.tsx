import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useApp } from '../../app/app-context.ts'
import type { Words } from '../../locales/en/operator.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'

/** Makes a workspace with its owner. */
export function NewWorkspace({
  words,
  onMade,
  onClose,
}: {
  words: Words
  onMade: () => Promise<void>
  onClose: () => void
}): VNode {
  const { api, language, words: common } = useApp()
  const form = useForm()
  const name = useSignal('')
  const plan = useSignal('starter')
  const locale = useSignal<string>(language.value)
  const credits = useSignal('')
  const owner = useSignal('')
  const email = useSignal('')
  const password = useSignal('')

  async function send(): Promise<void> {
    await api.post('operator/workspaces', {
      name: name.value,
      plan: plan.value,
      locale: locale.value,
      owner: { name: owner.value, email: email.value, password: password.value },
      ...(credits.value === '' ? {} : { monthly_credits: Number(credits.value) }),
    })
    await onMade()
  }

  return (
    <Dialog title={words.add} onClose={onClose}>
      <Form form={form} send={send} done={onClose} action={words.make}>
        <TextField label={words.name} value={name} error={form.errorOf('/name')} />
        <SelectField
          label={words.plan}
          value={plan}
          options={Object.entries(words.plans).map(([value, label]) => ({ value, label }))}
        />
        <SelectField
          label={common.value.language}
          value={locale}
          options={[
            { value: 'tr', label: 'Türkçe' },
            { value: 'en', label: 'English' },
          ]}
        />
        <TextField
          label={`${words.monthly} (${common.value.optional})`}
          hint={words.monthlyHint}
          value={credits}
          type="number"
          min={0}
          error={form.errorOf('/monthly_credits')}
        />
        <TextField label={words.ownerName} value={owner} error={form.errorOf('/owner/name')} />
        <TextField
          label={words.ownerEmail}
          value={email}
          type="email"
          autocomplete="off"
          error={form.errorOf('/owner/email')}
        />
        <TextField
          label={words.ownerPassword}
          hint={words.ownerPasswordHint}
          value={password}
          type="password"
          autocomplete="new-password"
          error={form.errorOf('/owner/password')}
        />
      </Form>
    </Dialog>
  )
}
