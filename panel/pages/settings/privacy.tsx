import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Tenant } from '../../../server/tenants/schema.ts'
import { useApp } from '../../app/app-context.ts'
import type { Words } from '../../locales/en/settings.ts'
import { CheckField, SelectField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Card } from '../../ui/page.tsx'
import { OfSite } from './of-site.tsx'

const DAYS = [7, 30, 90, 180, 365, 730] as const

/** How long a site keeps conversations, and what it may ask of visitors. */
export function Privacy({ words }: { words: Words }): VNode {
  return (
    <OfSite words={words} lead={words.privacyLead}>
      {(site) => <Fields key={site.tenant_id} site={site} words={words} />}
    </OfSite>
  )
}

function Fields({ site, words }: { site: Tenant; words: Words }): VNode {
  const { api, format, reloadSites, toasts, words: common } = useApp()
  const form = useForm()
  const present = site.privacy.retention_days ?? null
  const retention = useSignal(present === null ? '' : String(present))
  const keepsLeads = useSignal(site.privacy.keep_leads ?? true)
  const needsConsent = useSignal(site.privacy.consent_required ?? false)
  const days = [...new Set([...DAYS, ...(present === null ? [] : [present])])].toSorted(
    (one, other) => one - other,
  )

  async function send(): Promise<void> {
    const privacy = {
      ...site.privacy,
      retention_days: retention.value === '' ? null : Number(retention.value),
      keep_leads: keepsLeads.value,
      consent_required: needsConsent.value,
    }
    await api.patch(`tenants/${site.tenant_id}`, { privacy })
    await reloadSites()
    toasts.done(common.value.saved)
  }

  return (
    <Card>
      <Form form={form} send={send} action={common.value.save}>
        <SelectField
          label={words.retention}
          value={retention}
          options={[
            { value: '', label: words.retentions.never },
            ...days.map((count) => ({
              value: String(count),
              label: words.retentions.days(format.value.number(count)),
            })),
          ]}
          error={form.errorOf('/privacy/retention_days')}
        />
        {retention.value !== '' && <CheckField label={words.keepLeads} value={keepsLeads} />}
        <CheckField label={words.consentRequired} value={needsConsent} />
      </Form>
    </Card>
  )
}
