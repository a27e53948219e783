import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { z } from 'zod'
import type { Conditions, CreatedRule, Rule } from '../../../../server/rules/schema.ts'
import { useApp } from '../../../app/app-context.ts'
import type { Words } from '../../../locales/en/webhooks.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { Form, useForm } from '../../../ui/form.tsx'
import { EventChoice } from '../event-choice.tsx'

type Created = z.infer<typeof CreatedRule>

/** Makes a rule, or changes it: its events, its address and the conditions that must hold. */
export function RuleForm({
  rule,
  words,
  onCreated,
  onChanged,
  onClose,
}: {
  rule?: Rule
  words: Words
  onCreated?: (created: Created) => unknown
  onChanged?: (changed: Rule) => unknown
  onClose: () => void
}): VNode {
  const { api, sites, words: common } = useApp()
  const form = useForm()
  const conditions: Conditions = rule?.conditions ?? {}
  const name = useSignal(rule?.name ?? '')
  const url = useSignal(rule?.url ?? '')
  const events = useSignal<readonly string[]>(rule ? eventsOf(rule) : [])
  const secret = useSignal('')
  const tenantId = useSignal(conditions.tenant_id ?? '')
  const confidence = useSignal(conditions.min_confidence?.toString() ?? '')
  const sector = useSignal(conditions.sector ?? '')
  const source = useSignal(conditions.source ?? '')

  async function send(): Promise<void> {
    const given = {
      tenant_id: tenantId.value,
      sector: sector.value.trim(),
      source: source.value.trim(),
    }
    const body = {
      name: name.value,
      url: url.value.trim(),
      events: events.value,
      conditions: {
        ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')),
        ...(confidence.value === '' ? {} : { min_confidence: Number(confidence.value) }),
      },
    }
    if (rule) {
      onChanged?.(await api.patch<Rule>(`webhooks/rules-engine/rules/${rule.rule_id}`, body))
    } else {
      const own = secret.value === '' ? {} : { secret: secret.value }
      onCreated?.(await api.post<Created>('webhooks/rules-engine/rules', { ...body, ...own }))
    }
  }

  return (
    <Dialog title={rule ? words.edit : words.addRule} wide onClose={onClose}>
      <Form
        form={form}
        send={send}
        done={onClose}
        action={rule ? common.value.save : words.addAction}
      >
        <TextField label={words.ruleName} value={name} error={form.errorOf('/name')} />
        <TextField
          label={words.address}
          hint={words.ruleAddressHint}
          value={url}
          type="url"
          placeholder="https://crm.example/hook"
          error={form.errorOf('/url')}
        />
        <EventChoice
          names={words.ruleEvents}
          chosen={events}
          words={words}
          error={form.errorOf('/events')}
        />
        <fieldset>
          <legend>{words.conditions}</legend>
          <p class="soft small">{words.conditionsHint}</p>
          <div class="grid">
            <SelectField
              label={common.value.site}
              value={tenantId}
              options={[
                { value: '', label: common.value.all },
                ...(sites.value ?? []).map((site) => ({ value: site.tenant_id, label: site.name })),
              ]}
              error={form.errorOf('/conditions/tenant_id')}
            />
            <TextField
              label={words.minConfidence}
              hint={words.minConfidenceHint}
              value={confidence}
              type="number"
              min={0}
              max={1}
              step={0.05}
              error={form.errorOf('/conditions/min_confidence')}
            />
            <TextField
              label={words.sector}
              value={sector}
              error={form.errorOf('/conditions/sector')}
            />
            <TextField
              label={words.source}
              hint={words.sourceHint}
              value={source}
              error={form.errorOf('/conditions/source')}
            />
          </div>
        </fieldset>
        {!rule && (
          <TextField
            label={`${words.secret} (${common.value.optional})`}
            hint={words.ownSecretHint('16')}
            value={secret}
            autocomplete="off"
            error={form.errorOf('/secret')}
          />
        )}
      </Form>
    </Dialog>
  )
}

/** Returns the events of a rule, which was given one or a list. */
export function eventsOf({ event, events }: Pick<Rule, 'event' | 'events'>) {
  return events ?? (event === undefined ? [] : [event])
}
