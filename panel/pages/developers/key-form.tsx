import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { z } from 'zod'
import type { CreatedApiKey } from '../../../server/platform/schema.ts'
import { useApp } from '../../app/app-context.ts'
import type { Words } from '../../locales/en/developers.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { AreaField, TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'

/** Makes a key; on Enterprise with scopes and addresses. */
export function KeyForm({
  words,
  onCreated,
  onClose,
}: {
  words: Words
  onCreated: (key: string) => unknown
  onClose: () => void
}): VNode {
  const { api, session, words: common } = useApp()
  const form = useForm()
  const name = useSignal('')
  const expires = useSignal('')
  const scopes = useSignal<readonly string[]>([])
  const addresses = useSignal('')
  const isEnterprise = session.me.value?.user.plan === 'enterprise'

  async function send(): Promise<void> {
    const allowed = addresses.value.split(/[\s,]+/).filter((entry) => entry !== '')
    const { key } = await api.post<z.infer<typeof CreatedApiKey>>('api-keys', {
      name: name.value,
      ...(scopes.value.length === 0 ? {} : { scopes: scopes.value }),
      ...(allowed.length === 0 ? {} : { ip_allowlist: allowed }),
      ...(expires.value === '' ? {} : { expires_at: new Date(expires.value).toISOString() }),
    })
    onCreated(key)
  }

  return (
    <Dialog title={words.add} onClose={onClose}>
      <Form form={form} send={send} done={onClose} action={words.make}>
        <TextField
          label={words.name}
          hint={words.nameHint}
          value={name}
          error={form.errorOf('/name')}
        />
        <TextField
          label={`${words.expires} (${common.value.optional})`}
          value={expires}
          type="date"
          error={form.errorOf('/expires_at')}
        />
        {isEnterprise ? (
          <>
            <fieldset>
              <legend>{words.scopes}</legend>
              <p class="soft small">{words.scopesHint}</p>
              <div class="stack tight">
                {Object.entries(words.scopeNames).map(([scope, meaning]) => (
                  <label key={scope} class="check">
                    <input
                      type="checkbox"
                      checked={scopes.value.includes(scope)}
                      onChange={(event) => {
                        scopes.value = event.currentTarget.checked
                          ? [...scopes.value, scope]
                          : scopes.value.filter((each) => each !== scope)
                      }}
                    />
                    <span>
                      {meaning} <code class="soft">{scope}</code>
                    </span>
                  </label>
                ))}
              </div>
            </fieldset>
            <AreaField
              label={`${words.addresses} (${common.value.optional})`}
              hint={words.addressesHint}
              value={addresses}
              placeholder="203.0.113.0/24"
              error={form.errorOf('/ip_allowlist')}
            />
          </>
        ) : (
          <p class="soft small">{words.enterpriseOnly}</p>
        )}
      </Form>
    </Dialog>
  )
}
