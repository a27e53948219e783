import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { OwnAccount } from '../../../server/platform/account/schema.ts'
import { useApp } from '../../app/app-context.ts'
import type { Words } from '../../locales/en/account/account.ts'
import { TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Card } from '../../ui/page.tsx'
import { TwoFactor } from './two-factor.tsx'

/** The password and the second step of signing in. */
export function Security({
  account,
  words,
  reload,
}: {
  account: OwnAccount
  words: Words
  reload: () => Promise<void>
}): VNode {
  return (
    <div class="stack narrow">
      <ChangePassword words={words} />
      <TwoFactor account={account} words={words} reload={reload} />
    </div>
  )
}

function ChangePassword({ words }: { words: Words }): VNode {
  const { api, session, toasts } = useApp()
  const form = useForm()
  const present = useSignal('')
  const next = useSignal('')

  async function send(): Promise<void> {
    const body = { current_password: present.value, new_password: next.value }
    await api.post('auth/password', body)
    present.value = ''
    next.value = ''
    toasts.done(words.passwordChanged)
  }

  return (
    <Card title={words.password}>
      <Form form={form} send={send} action={words.changePassword}>
        <p class="soft small">{words.passwordLead}</p>
        {/* Password managers need to know whose password this is. */}
        <input
          type="hidden"
          name="username"
          autocomplete="username"
          value={session.me.value?.user.email}
        />
        <TextField
          label={words.currentPassword}
          value={present}
          type="password"
          autocomplete="current-password"
          error={form.errorOf('/current_password') && words.wrongPassword}
        />
        <TextField
          label={words.newPassword}
          hint={words.newPasswordHint}
          value={next}
          type="password"
          autocomplete="new-password"
          error={form.errorOf('/new_password')}
        />
      </Form>
    </Card>
  )
}
