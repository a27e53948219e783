import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Member } from '../../../server/platform/schema.ts'
import { ApiError } from '../../app/api/api.ts'
import { useApp } from '../../app/app-context.ts'
import { useLinkCode } from '../../app/link-code.ts'
import type { PageProps } from '../../app/pages.ts'
import { BASE } from '../../app/router.ts'
import type { Me } from '../../app/api/session.ts'
import type { Words } from '../../locales/en/account/invitation.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { PageHead } from '../../ui/page.tsx'

/** The page behind the link of an invitation: who accepts it is signed in and sees Home. */
export function Page({ words }: PageProps<Words>): VNode {
  const code = useLinkCode()
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <Acceptance key={code.value} code={code.value} words={words} />
    </>
  )
}

function Acceptance({ code, words }: { code: string; words: Words }): VNode {
  const { api, router, session, language } = useApp()
  const form = useForm()
  const typed = useSignal(code)
  const name = useSignal('')
  const password = useSignal('')
  const refused = useSignal('')

  async function send(): Promise<void> {
    refused.value = ''
    const called = name.value.trim()
    const accepted = await api
      .post<Member>('members/accept', {
        token: typed.value.trim(),
        password: password.value,
        ...(called === '' ? {} : { name: called }),
      })
      .catch((error: unknown) => {
        if (!(error instanceof ApiError) || (error.status !== 401 && error.status !== 409)) {
          throw error
        }
        refused.value = error.status === 409 ? words.taken : words.spent
        return undefined
      })
    if (!accepted) return
    const login = { email: accepted.email, password: password.value }
    // The account exists now: whatever keeps the login from succeeding, the sign-in says it.
    const me = await api.post<Me>('auth/login', login).catch(() => undefined)
    if (me) {
      session.enter(me)
      // The language in which they joined is theirs.
      await api.patch('account', { locale: language.value }).catch(() => undefined)
    }
    router.go(me ? '/' : '/sign-in', { replace: true })
  }

  return (
    <Form
      form={form}
      send={send}
      action={words.action}
      extra={
        refused.value === words.taken && <Button href={`${BASE}/sign-in`}>{words.signIn}</Button>
      }
    >
      {code === '' && <TextField label={words.code} value={typed} autocomplete="off" required />}
      <TextField
        label={words.name}
        hint={words.nameHint}
        value={name}
        autocomplete="name"
        maxLength={120}
        error={form.errorOf('/name')}
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
      {refused.value && (
        <p class="form-error" role="alert">
          {refused.value}
        </p>
      )}
    </Form>
  )
}
