import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { z } from 'zod'
import type {
  OwnAccount,
  RecoveryCodes,
  TwoFactorSecret,
} from '../../../server/platform/account/schema.ts'
import { ApiError } from '../../app/api/api.ts'
import { useApp } from '../../app/app-context.ts'
import type { Words } from '../../locales/en/account/account.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Badge, Card, CopyBox } from '../../ui/page.tsx'
import { QrCode } from './qr-code.tsx'

type Secret = z.infer<typeof TwoFactorSecret>
type Codes = z.infer<typeof RecoveryCodes>

interface Props {
  account: OwnAccount
  words: Words
  reload: () => Promise<void>
}

/** Switches the second step of signing in on and off, and gives new recovery codes. */
export function TwoFactor({ account, words, reload }: Props): VNode {
  const { api, toasts } = useApp()
  const open = useSignal<'on' | 'off' | 'codes' | undefined>(undefined)
  const secret = useSignal<Secret | undefined>(undefined)
  const codes = useSignal<string[]>([])

  async function close(): Promise<void> {
    open.value = undefined
    secret.value = undefined
    codes.value = []
    await reload()
  }

  return (
    <Card
      title={words.twoFactor}
      actions={
        <Badge tone={account.two_factor ? 'good' : 'plain'}>
          {account.two_factor ? words.on : words.off}
        </Badge>
      }
    >
      <div class="stack">
        <p class="soft small">{words.twoFactorLead}</p>
        {account.two_factor ? (
          <>
            <p>{words.codesLeft(account.recovery_codes_left)}</p>
            <div class="row">
              <Button onPress={() => (open.value = 'codes')}>{words.newCodes}</Button>
              <Button kind="plain" danger onPress={() => (open.value = 'off')}>
                {words.switchOff}
              </Button>
            </div>
          </>
        ) : (
          <div class="row">
            <Button icon="shield" onPress={() => (open.value = 'on')}>
              {words.switchOn}
            </Button>
          </div>
        )}
      </div>
      {codes.value.length > 0 ? (
        <Dialog title={words.codesTitle} onClose={() => void close()}>
          <CodeList codes={codes.value} words={words} onClose={close} />
        </Dialog>
      ) : (
        open.value !== undefined && (
          <Dialog
            title={open.value === 'codes' ? words.newCodes : words.twoFactor}
            onClose={() => void close()}
          >
            {secret.value ? (
              <FirstCode
                secret={secret.value}
                words={words}
                onDone={(given) => (codes.value = given)}
              />
            ) : (
              <PasswordAgain
                words={words}
                lead={
                  open.value === 'off'
                    ? words.switchOffLead
                    : open.value === 'codes'
                      ? words.newCodesLead
                      : words.twoFactorLead
                }
                action={open.value === 'off' ? words.switchOff : words.next}
                danger={open.value === 'off'}
                send={async (password) => {
                  const path = 'account/two-factor'
                  if (open.value === 'on') {
                    secret.value = await api.post<Secret>(path, { password })
                  } else if (open.value === 'codes') {
                    const given = await api.post<Codes>(`${path}/recovery-codes`, { password })
                    codes.value = given.recovery_codes
                  } else {
                    await api.delete(path, { password })
                    await close()
                    toasts.done(words.switchedOff)
                  }
                }}
              />
            )}
          </Dialog>
        )
      )}
    </Card>
  )
}

function PasswordAgain({
  words,
  lead,
  action,
  danger,
  send,
}: {
  words: Words
  lead: string
  action: string
  danger: boolean
  send: (password: string) => Promise<void>
}): VNode {
  const form = useForm()
  const password = useSignal('')
  return (
    <Form form={form} send={() => send(password.value)} action={action} danger={danger}>
      <p class="soft">{lead}</p>
      <TextField
        label={words.passwordAgain}
        value={password}
        type="password"
        autocomplete="current-password"
        error={form.errorOf('/password') && words.wrongPassword}
      />
    </Form>
  )
}

/** The secret as a QR code and as text; the first code of the app shows that it arrived. */
function FirstCode({
  secret,
  words,
  onDone,
}: {
  secret: Secret
  words: Words
  onDone: (codes: string[]) => void
}): VNode {
  const { api } = useApp()
  const form = useForm()
  const code = useSignal('')
  const wrong = useSignal('')

  async function send(): Promise<void> {
    wrong.value = ''
    try {
      const body = { code: code.value.replaceAll(' ', '') }
      const { recovery_codes: codes } = await api.post<Codes>('account/two-factor/confirm', body)
      onDone(codes)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 422) throw error
      wrong.value = words.wrongCode
    }
  }

  return (
    <Form form={form} send={send} action={words.confirm}>
      <p class="soft">{words.scan}</p>
      <QrCode text={secret.otpauth_url} label={words.qrLabel} />
      <CopyBox text={secret.secret} label={words.key} />
      <TextField
        label={words.code}
        hint={words.codeHint}
        value={code}
        inputMode="numeric"
        autocomplete="one-time-code"
        error={wrong.value}
      />
    </Form>
  )
}

function CodeList({
  codes,
  words,
  onClose,
}: {
  codes: readonly string[]
  words: Words
  onClose: () => Promise<void>
}): VNode {
  const { words: common, toasts } = useApp()
  const text = codes.join('\n')
  return (
    <div class="stack">
      <p class="soft">{words.codesLead}</p>
      <ul class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div class="row">
        <Button
          icon="copy"
          onPress={async () => {
            await navigator.clipboard.writeText(text)
            toasts.done(common.value.copied)
          }}
        >
          {common.value.copy}
        </Button>
        <Button
          icon="download"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="sohbet-recovery-codes.txt"
        >
          {words.downloadCodes}
        </Button>
        <span class="grow" />
        <Button kind="primary" onPress={onClose}>
          {words.codesKept}
        </Button>
      </div>
    </div>
  )
}
