import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { MailState } from '../../../server/workspaces/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { useResource } from '../../app/api/resource.ts'
import type { Role } from '../../app/pages.ts'
import type { Words } from '../../locales/en/team.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Badge } from '../../ui/page.tsx'
import { rolesFor } from './role-choice.tsx'

/** Invites somebody by mail. */
export function Invite({
  words,
  onInvited,
  onClose,
}: {
  words: Words
  onInvited: () => Promise<void>
  onClose: () => void
}): VNode {
  const { api, session, toasts, words: common } = useApp()
  const form = useForm()
  const email = useSignal('')
  const name = useSignal('')
  const role = useSignal<Role>('operator')
  const mail = useResource<MailState>('mail', (signal) => api.get('workspace/mail', {}, signal))
  const isSilent = mail.value.value?.configured === false

  async function send(): Promise<void> {
    const called = name.value.trim()
    const invited = { email: email.value, role: role.value }
    await api.post('members', called === '' ? invited : { ...invited, name: called })
    toasts.done(isSilent ? words.invitedSilently(email.value) : words.invited(email.value))
    await onInvited()
  }

  return (
    <Dialog title={words.inviteTitle} onClose={onClose}>
      <Form form={form} send={send} done={onClose} action={words.sendInvitation}>
        {isSilent && (
          <p class="row">
            <Badge tone="warn">{words.noMail}</Badge>
          </p>
        )}
        <TextField
          label={words.email}
          value={email}
          type="email"
          autocomplete="off"
          error={form.errorOf('/email')}
        />
        <TextField
          label={`${words.name} (${common.value.optional})`}
          hint={words.nameHint}
          value={name}
          autocomplete="off"
          maxLength={120}
          error={form.errorOf('/name')}
        />
        <fieldset class="stack tight">
          <legend>{words.role}</legend>
          {rolesFor(session.me.value?.user.role === 'owner').map((each) => (
            <label key={each} class="check">
              <input
                type="radio"
                name="role"
                checked={role.value === each}
                onChange={() => (role.value = each)}
              />
              <span>
                {common.value.roles[each]}
                <br />
                <span class="soft small">{words.rolesText[each]}</span>
              </span>
            </label>
          ))}
        </fieldset>
      </Form>
    </Dialog>
  )
}
