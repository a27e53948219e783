import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { ApiError } from '../../app/api/api.ts'
import { useApp } from '../../app/app-context.ts'
import type { Me } from '../../app/api/session.ts'
import { TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import type { StepProps } from './step.ts'

/** The first account of the installation, with the code of the link that the start printed. */
export function OwnerStep({ words, code, next }: StepProps & { code: string }): VNode {
  const { api, session, language } = useApp()
  const form = useForm()
  const name = useSignal('')
  const email = useSignal('')
  const password = useSignal('')
  const token = useSignal(code)
  const wrong = useSignal('')

  async function send(): Promise<void> {
    wrong.value = ''
    try {
      const me = await api.post<Me>('setup', {
        token: token.value.trim(),
        name: name.value,
        email: email.value,
        password: password.value,
        locale: language.value,
      })
      session.enter(me)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      wrong.value = words.wrongCode
    }
  }

  return (
    <div class="card">
      <Form form={form} send={send} done={next} action={words.next}>
        {code === '' && (
          <TextField
            label={words.code}
            hint={words.codeHint}
            value={token}
            autocomplete="off"
            required
          />
        )}
        {wrong.value && (
          <p class="form-error" role="alert">
            {wrong.value}
          </p>
        )}
        <TextField
          label={words.name}
          hint={words.nameHint}
          value={name}
          autocomplete="name"
          required
          error={form.errorOf('/name')}
        />
        <TextField
          label={words.email}
          value={email}
          type="email"
          autocomplete="username"
          required
          error={form.errorOf('/email')}
        />
        <TextField
          label={words.password}
          hint={words.passwordHint}
          value={password}
          type="password"
          autocomplete="new-password"
          required
          error={form.errorOf('/password')}
        />
      </Form>
    </div>
  )
}
