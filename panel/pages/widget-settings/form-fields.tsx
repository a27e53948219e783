import type { VNode } from 'preact'
import type { Forms } from '../../../server/tenants/schema.ts'
import { LocalizedField } from '../../ui/localized-field.tsx'
import type { PartProps } from './part.ts'
import { PlainCheck, PlainField, PlainSelect } from '../../ui/plain-field.tsx'

type LeadForm = NonNullable<Forms['lead']>
const FIELDS = ['name', 'phone', 'email'] as const

/** The contact form, its consent, and when a person takes over. */
export function FormFields({ draft, change, words, errorOf }: PartProps): VNode {
  const lead = draft.forms.lead ?? {}
  const required = lead.required ?? FIELDS
  const setLead = (changes: Partial<LeadForm>): void =>
    change({ forms: { ...draft.forms, lead: { ...lead, ...changes } } })
  function setPolicy(url: string): void {
    const { policy_url: _before, ...privacy } = draft.privacy
    change({ privacy: url === '' ? privacy : { ...privacy, policy_url: url } })
  }

  return (
    <>
      <PlainCheck
        label={words.leadForm}
        hint={words.leadFormHint}
        value={lead.enabled ?? true}
        onPick={(enabled) => setLead({ enabled })}
      />
      <fieldset class="stack tight">
        <legend>{words.requiredFields}</legend>
        {FIELDS.map((field) => (
          <PlainCheck
            key={field}
            label={words.fields[field]}
            value={required.includes(field)}
            onPick={(isOn) =>
              setLead({
                required: FIELDS.filter((each) =>
                  each === field ? isOn : required.includes(each),
                ),
              })
            }
          />
        ))}
        {errorOf('/forms/lead/required') && (
          <span class="field">
            <span class="error">{errorOf('/forms/lead/required')}</span>
          </span>
        )}
      </fieldset>
      <PlainCheck
        label={words.verifyEmail}
        hint={words.verifyEmailHint}
        value={lead.verify_email ?? false}
        onPick={(isOn) => setLead({ verify_email: isOn })}
      />
      <LocalizedField
        label={words.consent}
        hint={words.consentHint}
        own={draft.locale}
        words={words}
        value={lead.consent_text ?? ''}
        onInput={(text) => setLead({ consent_text: text })}
        error={errorOf('/forms/lead/consent_text')}
      />
      <PlainField
        label={words.policy}
        hint={words.policyHint}
        type="url"
        value={draft.privacy.policy_url ?? ''}
        onInput={(url) => setPolicy(url.trim())}
        error={errorOf('/privacy/policy_url')}
      />
      <PlainCheck
        label={words.consentRequired}
        value={draft.privacy.consent_required ?? false}
        onPick={(isOn) => change({ privacy: { ...draft.privacy, consent_required: isOn } })}
      />
      <PlainSelect
        label={words.handoff}
        hint={words.handoffHint}
        value={draft.handoff}
        options={(['auto', 'offer', 'off'] as const).map((value) => ({
          value,
          label: words.handoffs[value],
        }))}
        onPick={(value) =>
          change({ handoff: value === 'auto' || value === 'off' ? value : 'offer' })
        }
      />
    </>
  )
}
