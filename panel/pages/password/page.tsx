import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { ApiError } from '../../app/api/api.ts'
import { useApp } from '../../app/app-context.ts'
import { useLinkCode } from '../../app/link-code.ts'
import type { PageProps } from '../../app/pages.ts'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/account/password.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { PageHead } from '../../ui/page.tsx'

/** The page behind the link of a forgotten password. */
export function Page({ words }: PageProps<Words>): VNode {
  const { session } = useApp()
  const isDone = useSignal(false)
  const code = useLinkCode(() => (isDone.value = false))
  if (isDone.value) {
    return (
      <>
        <PageHead title={words.doneTitle} lead={words.doneLead} />
        <Button kind="primary" href={`${BASE}/sign-in`}>
          {words.signIn}
        </Button>
      </>
    )
  }
  return (
    <div class="stack">
      <NewPassword
        key={code.value}
        code={code.value}
        words={words}
        onDone={() => {
          isDone.value = true
          // The login of this browser ended too, if it was this person's.
          void session.refresh().catch(() => undefined)
        }}
      />
      <Resend words={words} />
    </div>
  )
}

function NewPassword({
  code,
  words,
  onDone,
}: {
  code: string
  words: Words
  onDone: () => void
}): VNode {
  const { api } = useApp()
  const form = useForm()
  const typed = useSignal(code)
  const password = useSignal('')
  const spent = useSignal('')

  async function send(): Promise<void> {
    spent.value = ''
    try {
      const body = { token: typed.value.trim(), new_password: password.value }
      await api.post('auth/password/reset/confirm', body)
      onDone()
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      spent.value = words.spent
    }
  }

  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <Form form={form} send={send} action={words.action}>
        {code === '' && <TextField label={words.code} value={typed} autocomplete="off" required />}
        <TextField
          label={words.password}
          hint={words.passwordHint}
          value={password}
          type="password"
          autocomplete="new-password"
          required
          error={form.errorOf('/new_password')}
        />
        {spent.value && (
          <p class="form-error" role="alert">
            {spent.value}
          </p>
        )}
      </Form>
    </>
  )
}

function Resend({ words }: { words: Words }): VNode {
  const { api } = useApp()
  const form = useForm()
  const email = useSignal('')
  const isMailed = useSignal(false)
  return (
    <details>
      <summary class="soft">{words.resendTitle}</summary>
      {isMailed.value ? (
        <p role="status">{words.mailed}</p>
      ) : (
        <Form
          form={form}
          send={() => api.post('auth/password/reset', { email: email.value })}
          done={() => (isMailed.value = true)}
          action={words.resend}
        >
          <TextField
            label={words.email}
            value={email}
            type="email"
            autocomplete="username"
            error={form.errorOf('/email')}
          />
        </Form>
      )}
    </details>
  )
}
