import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { ManagedLead as Lead } from '../../../server/leads/schema.ts'
import type { Page } from '../../app/api/api.ts'
import { useApp } from '../../app/app-context.ts'
import { useResource, type Resource } from '../../app/api/resource.ts'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/leads.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { AreaField, TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Menu } from '../../ui/menu.tsx'
import { BackLink, Card, Loaded, PageHead } from '../../ui/page.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { StatusSelect } from './status-select.tsx'

/** A member to whom a lead can be assigned. */
interface Colleague {
  user_id: string
  name: string
}

const FIELDS = ['name', 'email', 'phone', 'interest', 'notes'] as const

/** One lead: its contact, its conversation, and how far the team is with it. */
export function LeadDetail({ id, words }: { id: string; words: Words }): VNode {
  const { api, router } = useApp()
  const lead = useResource<Lead>(id, (signal) =>
    api.get(`leads/${encodeURIComponent(id)}`, {}, signal),
  )
  const query = router.query.value.toString()
  return (
    <>
      <BackLink path={`/leads${query && `?${query}`}`}>{words.back}</BackLink>
      <Loaded of={lead}>{(value) => <LeadView lead={value} of={lead} words={words} />}</Loaded>
    </>
  )
}

function LeadView({ lead, of, words }: { lead: Lead; of: Resource<Lead>; words: Words }): VNode {
  const { api, toasts, explain, router } = useApp()
  const dialog = useSignal<'merge' | 'delete' | undefined>(undefined)
  const path = `leads/${encodeURIComponent(lead.lead_id)}`
  const name = lead.name || words.noName

  async function patch(change: object, text: string): Promise<void> {
    try {
      of.set(await api.patch<Lead>(path, change))
      toasts.done(text)
    } catch (error) {
      toasts.failed(explain(error))
    }
  }

  return (
    <>
      <PageHead title={name}>
        <Button icon="inbox" href={`${BASE}/inbox/${lead.session_id}`}>
          {words.openConversation}
        </Button>
        <Menu
          label={words.actions}
          items={[
            { label: words.merge, onPick: () => (dialog.value = 'merge') },
            {
              label: words.delete,
              icon: 'trash',
              danger: true,
              onPick: () => (dialog.value = 'delete'),
            },
          ]}
        />
      </PageHead>
      <div class="lead-columns">
        <Card title={words.details}>
          <ContactForm key={lead.lead_id} lead={lead} words={words} onSaved={of.set} />
        </Card>
        <Card>
          <Facts lead={lead} words={words} onPatch={patch} />
        </Card>
      </div>
      {dialog.value === 'merge' && (
        <MergeDialog
          lead={lead}
          words={words}
          onMerged={of.set}
          onClose={() => (dialog.value = undefined)}
        />
      )}
      {dialog.value === 'delete' && (
        <Confirm
          title={words.deleteTitle(name)}
          action={words.delete}
          onConfirm={async () => {
            await api.delete(path)
            toasts.done(words.deleted)
            router.go('/leads', { replace: true })
          }}
          onClose={() => (dialog.value = undefined)}
        >
          <p>{words.deleteText}</p>
        </Confirm>
      )}
    </>
  )
}

function ContactForm({
  lead,
  words,
  onSaved,
}: {
  lead: Lead
  words: Words
  onSaved: (lead: Lead) => void
}): VNode {
  const { api, toasts, words: common } = useApp()
  const form = useForm()
  const values = {
    name: useSignal(lead.name),
    email: useSignal(lead.email),
    phone: useSignal(lead.phone),
    interest: useSignal(lead.interest),
    notes: useSignal(lead.notes),
  }
  return (
    <Form
      form={form}
      action={common.value.save}
      send={async () => {
        const changed = FIELDS.filter((field) => values[field].value !== lead[field])
        if (changed.length === 0) return
        const body = Object.fromEntries(changed.map((field) => [field, values[field].value]))
        onSaved(await api.patch<Lead>(`leads/${encodeURIComponent(lead.lead_id)}`, body))
      }}
      done={() => toasts.done(common.value.saved)}
    >
      <TextField label={words.name} value={values.name} error={form.errorOf('/name')} />
      <div class="columns">
        <TextField
          label={words.email}
          type="email"
          value={values.email}
          error={form.errorOf('/email')}
        />
        <TextField
          label={words.phone}
          type="tel"
          value={values.phone}
          error={form.errorOf('/phone')}
        />
      </div>
      <TextField label={words.interest} value={values.interest} error={form.errorOf('/interest')} />
      <AreaField
        label={words.notes}
        hint={words.notesHint}
        value={values.notes}
        rows={5}
        maxLength={4_000}
        error={form.errorOf('/notes')}
      />
    </Form>
  )
}

function Facts({
  lead,
  words,
  onPatch,
}: {
  lead: Lead
  words: Words
  onPatch: (change: object, text: string) => Promise<void>
}): VNode {
  const { api, format, sites } = useApp()
  const people = useResource<Page<Colleague>>('people', (signal) => api.get('presence', {}, signal))
  const known = people.value.value?.data ?? []
  const { owner } = lead
  const hasOwner = owner && !known.some(({ user_id: id }) => id === owner.user_id)
  const all = hasOwner ? [owner, ...known] : known
  const sources: Record<string, string> = words.sources
  const site = sites.value?.find(({ tenant_id: id }) => id === lead.tenant_id)
  return (
    <dl class="definitions lead-facts">
      <dt>{words.status}</dt>
      <dd>
        <StatusSelect
          status={lead.status}
          label={words.status}
          words={words}
          onPick={(status) => void onPatch({ status }, words.statusChanged(words.statuses[status]))}
        />
      </dd>
      <dt>{words.owner}</dt>
      <dd>
        <select
          class="input"
          aria-label={words.owner}
          value={owner?.user_id ?? ''}
          onChange={(event) => {
            const { value } = event.currentTarget
            const picked = all.find(({ user_id: id }) => id === value)
            const text = words.ownerSaved(picked?.name ?? words.nobody)
            void onPatch({ owner_id: picked?.user_id ?? null }, text)
          }}
        >
          <option value="">{words.nobody}</option>
          {all.map((person) => (
            <option key={person.user_id} value={person.user_id}>
              {person.name}
            </option>
          ))}
        </select>
      </dd>
      <dt>{words.captured}</dt>
      <dd>{format.value.dateTime(lead.captured_at)}</dd>
      <dt>{words.source}</dt>
      <dd>{sources[lead.source] ?? lead.source}</dd>
      {site && (
        <>
          <dt>{words.site}</dt>
          <dd>{site.name}</dd>
        </>
      )}
      <dt>{words.consent}</dt>
      <dd>
        {lead.consent ? (
          <span title={lead.consent.text}>
            {words.consentGiven(format.value.dateTime(lead.consent.given_at))}
          </span>
        ) : (
          words.noConsent
        )}
      </dd>
    </dl>
  )
}
