import { useSignal, useSignalEffect, type Signal } from '@preact/signals'
import type { VNode } from 'preact'
import type { z } from 'zod'
import type { CreatedIntegration, Integration } from '../../../../server/integrations/schema.ts'
import { useApp } from '../../../app/app-context.ts'
import type { Words } from '../../../locales/en/webhooks.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { Form, useForm } from '../../../ui/form.tsx'
import { FIELDS, KINDS, type Kind } from './integration-kinds.ts'

export type Created = z.infer<typeof CreatedIntegration>

/** Connects a channel, or changes the settings of one; a secret that is left empty stays. */
export function IntegrationForm({
  integration,
  words,
  onCreated,
  onChanged,
  onClose,
}: {
  integration?: Integration
  words: Words
  onCreated?: (created: Created) => unknown
  onChanged?: (changed: Integration) => unknown
  onClose: () => void
}): VNode {
  const { api, site, sites, words: common } = useApp()
  const form = useForm()
  const kind = useSignal<Kind>(integration?.kind ?? 'whatsapp')
  const tenantId = useSignal(integration?.tenant_id ?? site.value?.tenant_id ?? '')
  const name = useSignal(integration?.name ?? '')
  const platform = useSignal(integration?.settings.platform ?? 'facebook')
  const values = useSignal<Record<string, string>>(integration?.settings ?? {})

  async function send(): Promise<void> {
    const given = FIELDS[kind.value]
      .map((each) => [each.name, values.value[each.name]?.trim() ?? ''] as const)
      .filter(([, value]) => value !== '')
    const settings = {
      ...Object.fromEntries(given),
      ...(kind.value === 'meta' ? { platform: platform.value } : {}),
    }
    const named = name.value.trim() === '' ? {} : { name: name.value }
    if (integration) {
      const path = `integrations/${integration.integration_id}`
      onChanged?.(await api.patch<Integration>(path, { ...named, settings }))
    } else {
      const body = { kind: kind.value, tenant_id: tenantId.value, ...named, settings }
      onCreated?.(await api.post<Created>('integrations', body))
    }
  }

  return (
    <Dialog title={integration ? words.edit : words.addIntegration} onClose={onClose}>
      <Form
        form={form}
        send={send}
        done={onClose}
        action={integration ? common.value.save : words.connect}
      >
        {!integration && (
          <>
            <div class="row" role="group" aria-label={words.columns.kind}>
              {KINDS.map((each) => (
                <button
                  key={each}
                  type="button"
                  class="button small plain"
                  aria-pressed={each === kind.value}
                  onClick={() => (kind.value = each)}
                >
                  {words.kinds[each]}
                </button>
              ))}
            </div>
            <p class="soft">{words.setup[kind.value].before}</p>
            <SelectField
              label={common.value.site}
              value={tenantId}
              options={(sites.value ?? []).map((each) => ({
                value: each.tenant_id,
                label: each.name,
              }))}
              error={form.errorOf('/tenant_id')}
            />
          </>
        )}
        <TextField
          label={`${words.integrationName} (${common.value.optional})`}
          value={name}
          error={form.errorOf('/name')}
        />
        {kind.value === 'meta' && (
          <SelectField
            label={words.platform}
            value={platform}
            options={[
              { value: 'facebook', label: 'Facebook' },
              { value: 'instagram', label: 'Instagram' },
            ]}
          />
        )}
        {FIELDS[kind.value].map((each) => (
          <SettingField
            key={each.name}
            name={each.name}
            hint={
              integration?.secrets_set.includes(each.name)
                ? words.secretSet
                : words.settingHints[each.name]
            }
            error={form.errorOf(`/settings/${each.name}`)}
            isSecret={each.isSecret}
            values={values}
            words={words}
          />
        ))}
      </Form>
    </Dialog>
  )
}

function SettingField({
  name,
  hint,
  error,
  isSecret,
  values,
  words,
}: {
  name: string
  hint: string | undefined
  error: string | undefined
  isSecret: boolean
  values: Signal<Record<string, string>>
  words: Words
}): VNode {
  const value = useSignal(values.value[name] ?? '')
  useSignalEffect(() => {
    values.value = { ...values.peek(), [name]: value.value }
  })
  return (
    <TextField
      label={words.settings[name] ?? name}
      hint={hint}
      value={value}
      type={isSecret ? 'password' : 'text'}
      autocomplete="off"
      error={error}
    />
  )
}
