import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { ApiError } from '../../app/api/api.ts'
import { useApp } from '../../app/app-context.ts'
import { useLinkCode } from '../../app/link-code.ts'
import type { PageProps } from '../../app/pages.ts'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/account/confirm-email.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { PageHead } from '../../ui/page.tsx'

/** The page behind the link that confirms another e-mail address. */
export function Page({ words }: PageProps<Words>): VNode {
  const confirmed = useSignal('')
  const code = useLinkCode(() => (confirmed.value = ''))
  if (confirmed.value !== '') {
    return (
      <>
        <PageHead title={words.doneTitle} lead={words.doneLead(confirmed.value)} />
        <Button kind="primary" href={BASE}>
          {words.toPanel}
        </Button>
      </>
    )
  }
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <Confirmation
        key={code.value}
        code={code.value}
        words={words}
        onDone={(email) => (confirmed.value = email)}
      />
    </>
  )
}

function Confirmation({
  code,
  words,
  onDone,
}: {
  code: string
  words: Words
  onDone: (email: string) => void
}): VNode {
  const { api, session } = useApp()
  const form = useForm()
  const typed = useSignal(code)
  const refused = useSignal('')

  async function send(): Promise<void> {
    refused.value = ''
    try {
      const body = { token: typed.value.trim() }
      const { email } = await api.post<{ email: string }>('account/email/confirm', body)
      onDone(email)
      if (session.me.value) void session.refresh().catch(() => undefined)
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status !== 401 && error.status !== 409))
        throw error
      refused.value = error.status === 409 ? words.taken : words.spent
    }
  }

  return (
    <Form
      form={form}
      send={send}
      action={words.action}
      extra={refused.value && <Button href={`${BASE}/account`}>{words.toAccount}</Button>}
    >
      {code === '' && <TextField label={words.code} value={typed} autocomplete="off" required />}
      {refused.value && (
        <p class="form-error" role="alert">
          {refused.value}
        </p>
      )}
    </Form>
  )
}
