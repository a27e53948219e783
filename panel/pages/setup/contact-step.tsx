import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Tenant } from '../../../server/tenants/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { AreaField, CheckField, TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import type { StepProps } from './step.ts'

const FIELDS = ['name', 'phone', 'email'] as const

/** Fields of the contact form, the consent beside it, and the privacy policy. */
export function ContactStep({ words, next }: StepProps): VNode {
  const { api, site, reloadSites } = useApp()
  const tenant = site.value
  const form = useForm()
  const fields = { name: useSignal(true), phone: useSignal(true), email: useSignal(true) }
  const consent = useSignal('')
  const policy = useSignal('')

  useEffect(() => {
    if (!tenant) return
    const { required = FIELDS, consent_text: text } = tenant.forms.lead ?? {}
    for (const each of FIELDS) fields[each].value = required.includes(each)
    consent.value = (typeof text === 'string' ? text : text?.[tenant.locale]) ?? ''
    policy.value = tenant.privacy.policy_url ?? ''
  }, [tenant?.tenant_id])

  async function send(): Promise<void> {
    if (!tenant) return
    const { consent_text: before, ...lead } = tenant.forms.lead ?? {}
    const text = consent.value.trim()
    // The text in other languages stays.
    const consent_text = typeof before === 'object' ? { ...before, [tenant.locale]: text } : text
    const required = FIELDS.filter((each) => fields[each].value)
    const { policy_url: _, ...privacy } = tenant.privacy
    const policyUrl = policy.value.trim()
    await api.patch<Tenant>(`tenants/${tenant.tenant_id}`, {
      forms: { ...tenant.forms, lead: { ...lead, required, consent_text } },
      privacy: policyUrl === '' ? privacy : { ...privacy, policy_url: policyUrl },
    })
    await reloadSites()
  }

  return (
    <div class="card">
      <Form form={form} send={send} done={next} action={words.next}>
        <fieldset class="stack tight">
          <legend>{words.contactFields}</legend>
          {FIELDS.map((each) => (
            <CheckField key={each} label={words.contactField[each]} value={fields[each]} />
          ))}
          {form.errorOf('/forms/lead/required') && (
            <span class="field">
              <span class="error">{form.errorOf('/forms/lead/required')}</span>
            </span>
          )}
        </fieldset>
        <AreaField
          label={words.consent}
          hint={words.consentHint}
          value={consent}
          placeholder={words.consentExample}
          error={form.errorOf('/forms/lead/consent_text')}
        />
        <TextField
          label={words.policy}
          hint={words.policyHint}
          value={policy}
          type="url"
          placeholder="https://…"
          error={form.errorOf('/privacy/policy_url')}
        />
      </Form>
    </div>
  )
}
