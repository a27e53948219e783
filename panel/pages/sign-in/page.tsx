import { useSignal, type Signal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { ApiError } from '../../app/api/api.ts'
import { useApp } from '../../app/app-context.ts'
import type { PageProps } from '../../app/pages.ts'
import type { Me } from '../../app/api/session.ts'
import type { Words } from '../../locales/en/account/sign-in.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { PageHead } from '../../ui/page.tsx'

/** Signs in and shows the page that was asked for. Also sends the mail for a forgotten password. */
export function Page({ words }: PageProps<Words>): VNode {
  const { router, session } = useApp()
  const mode = useSignal<'sign-in' | 'forgot' | 'mailed'>('sign-in')
  const email = useSignal('')

  useEffect(() => {
    if (session.me.value && router.path.value === '/sign-in') router.go('/', { replace: true })
  }, [session.me.value])

  if (mode.value === 'mailed') {
    return (
      <>
        <PageHead title={words.mailed} lead={words.mailedLead} />
        <Button onPress={() => (mode.value = 'sign-in')}>{words.backToSignIn}</Button>
      </>
    )
  }
  return mode.value === 'forgot' ? (
    <Forgot
      words={words}
      email={email}
      onMailed={() => (mode.value = 'mailed')}
      onBack={() => (mode.value = 'sign-in')}
    />
  ) : (
    <SignIn words={words} email={email} onForgot={() => (mode.value = 'forgot')} />
  )
}

function SignIn({
  words,
  email,
  onForgot,
}: {
  words: Words
  email: Signal<string>
  onForgot: () => void
}): VNode {
  const { api, session, takeAccount } = useApp()
  const form = useForm()
  const password = useSignal('')
  const code = useSignal('')
  const needsCode = useSignal(false)
  const wrong = useSignal('')

  async function send(): Promise<void> {
    wrong.value = ''
    try {
      const given = needsCode.value ? { code: code.value.trim() } : {}
      const body = { email: email.value, password: password.value, ...given }
      session.enter(await api.post<Me>('auth/login', body))
      // The panel speaks the person's language, whatever the browser's is.
      await takeAccount().catch(() => undefined)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'two_factor_required') needsCode.value = true
      else if (error.status === 401) wrong.value = needsCode.value ? words.wrongCode : words.wrong
      else throw error
    }
  }

  return (
    <>
      <PageHead title={words.title} />
      <Form
        form={form}
        send={send}
        action={words.action}
        extra={
          <Button kind="plain" onPress={onForgot}>
            {words.forgot}
          </Button>
        }
      >
        <TextField
          label={words.email}
          value={email}
          type="email"
          name="email"
          autocomplete="username"
          required
        />
        <TextField
          label={words.password}
          value={password}
          type="password"
          name="password"
          autocomplete="current-password"
          required
          error={needsCode.value ? '' : wrong.value}
        />
        {needsCode.value && <CodeField words={words} code={code} error={wrong.value} />}
      </Form>
    </>
  )
}

/** The second step, which takes the focus. A keyboard of digits alone could not type recovery codes. */
function CodeField({
  words,
  code,
  error,
}: {
  words: Words
  code: Signal<string>
  error: string
}): VNode {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('input')?.focus(), [])
  return (
    <div ref={box}>
      <TextField
        label={words.code}
        hint={words.codeHint}
        value={code}
        name="code"
        autocomplete="one-time-code"
        error={error}
      />
    </div>
  )
}

function Forgot({
  words,
  email,
  onMailed,
  onBack,
}: {
  words: Words
  email: Signal<string>
  onMailed: () => void
  onBack: () => void
}): VNode {
  const { api } = useApp()
  const form = useForm()
  return (
    <>
      <PageHead title={words.forgotTitle} lead={words.forgotLead} />
      <Form
        form={form}
        send={() => api.post('auth/password/reset', { email: email.value })}
        done={onMailed}
        action={words.sendLink}
        extra={
          <Button kind="plain" onPress={onBack}>
            {words.backToSignIn}
          </Button>
        }
      >
        <TextField
          label={words.email}
          value={email}
          type="email"
          name="email"
          autocomplete="username"
          error={form.errorOf('/email')}
        />
      </Form>
    </>
  )
}
