import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { OwnAccount } from '../../../server/platform/account/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { LANGUAGES } from '../../app/language/language.ts'
import { timeZoneOptions } from '../../app/language/time-zones.ts'
import type { Words } from '../../locales/en/account/account.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Card } from '../../ui/page.tsx'
import { Picture } from './picture.tsx'

const NAMES = { en: 'English', tr: 'Türkçe' } as const

interface Props {
  account: OwnAccount
  words: Words
  onChange: (account: OwnAccount) => void
}

/** Name, picture, address, language and time zone of the signed-in person. */
export function Profile(props: Props): VNode {
  const { account, words } = props
  const isChanging = useSignal(false)
  return (
    <div class="stack narrow">
      <Picture {...props} />
      <Details {...props} />
      <Card
        title={words.email}
        actions={
          <Button small onPress={() => (isChanging.value = true)}>
            {words.changeEmail}
          </Button>
        }
      >
        <p>{account.email}</p>
        {account.pending_email !== null && (
          <p class="soft small">{words.emailPending(account.pending_email)}</p>
        )}
      </Card>
      {isChanging.value && <ChangeEmail {...props} onClose={() => (isChanging.value = false)} />}
    </div>
  )
}

function Details({ account, words, onChange }: Props): VNode {
  const app = useApp()
  const form = useForm()
  const name = useSignal(account.name)
  const language = useSignal(account.locale.split('-')[0] ?? 'en')
  const timeZone = useSignal(account.time_zone)

  async function send(): Promise<void> {
    const body = { name: name.value, locale: language.value, time_zone: timeZone.value }
    const changed = await app.api.patch<OwnAccount>('account', body)
    onChange(changed)
    await Promise.all([app.takeAccount(changed), app.session.refresh()])
    app.toasts.done(app.words.value.saved)
  }

  return (
    <Card title={words.details}>
      <Form form={form} send={send} action={app.words.value.save}>
        <TextField
          label={words.name}
          hint={words.nameHint}
          value={name}
          autocomplete="name"
          maxLength={120}
          error={form.errorOf('/name')}
        />
        <SelectField
          label={words.language}
          hint={words.languageHint}
          value={language}
          options={LANGUAGES.map((value) => ({ value, label: NAMES[value] }))}
        />
        <SelectField
          label={words.timeZone}
          value={timeZone}
          options={timeZoneOptions(account.time_zone)}
        />
      </Form>
    </Card>
  )
}

function ChangeEmail({
  account,
  words,
  onChange,
  onClose,
}: Props & { onClose: () => void }): VNode {
  const { api, toasts } = useApp()
  const form = useForm()
  const email = useSignal('')
  const password = useSignal('')

  async function send(): Promise<void> {
    const body = { email: email.value, password: password.value }
    const { pending_email: pending } = await api.post<{ pending_email: string }>(
      'account/email',
      body,
    )
    onChange({ ...account, pending_email: pending })
    toasts.done(words.emailMailed(pending))
  }

  return (
    <Dialog title={words.changeEmail} onClose={onClose}>
      <Form form={form} send={send} done={onClose} action={words.sendLink}>
        <TextField
          label={words.newEmail}
          hint={words.emailHint}
          value={email}
          type="email"
          autocomplete="email"
          error={form.errorOf('/email')}
        />
        <TextField
          label={words.passwordAgain}
          value={password}
          type="password"
          autocomplete="current-password"
          error={form.errorOf('/password') && words.wrongPassword}
        />
      </Form>
    </Dialog>
  )
}
