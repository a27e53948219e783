import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { ManagedLead as Lead } from '../../../server/leads/schema.ts'
import type { Page } from '../../app/api/api.ts'
import { useApp } from '../../app/app-context.ts'
import { useResource } from '../../app/api/resource.ts'
import type { Words } from '../../locales/en/leads.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Loaded } from '../../ui/page.tsx'

/** Finds the other lead of the same site and merges it into this one. */
export function MergeDialog({
  lead,
  words,
  onMerged,
  onClose,
}: {
  lead: Lead
  words: Words
  onMerged: (lead: Lead) => void
  onClose: () => void
}): VNode {
  const { api, toasts, explain, words: common } = useApp()
  const typed = useSignal('')
  const picked = useSignal<Lead | undefined>(undefined)
  const q = typed.value.trim() || undefined
  const found = useResource<Page<Lead>>(`merge ${q}`, (signal) =>
    api.get('leads', { q, tenant_id: lead.tenant_id, limit: 10 }, signal),
  )

  async function merge(other: Lead): Promise<void> {
    try {
      const path = `leads/${encodeURIComponent(lead.lead_id)}/merge`
      onMerged(await api.post<Lead>(path, { lead_id: other.lead_id }))
      toasts.done(words.merged)
      onClose()
    } catch (error) {
      toasts.failed(explain(error))
    }
  }

  return (
    <Dialog title={words.mergeTitle} onClose={onClose}>
      <div class="stack">
        <p class="soft">{words.mergeText}</p>
        <TextField label={words.mergeSearch} type="search" value={typed} maxLength={100} />
        <Loaded of={found} lines={3}>
          {({ data }) => {
            const others = data.filter(({ lead_id: id }) => id !== lead.lead_id)
            return others.length === 0 ? (
              <p class="soft">{common.value.nothingFound}</p>
            ) : (
              <fieldset class="others">
                <legend class="visually-hidden">{words.mergeSearch}</legend>
                {others.map((other) => (
                  <label key={other.lead_id} class="check">
                    <input
                      type="radio"
                      name="other"
                      checked={picked.value?.lead_id === other.lead_id}
                      onChange={() => (picked.value = other)}
                    />
                    <span>
                      <b>{other.name || words.noName}</b>{' '}
                      <span class="soft">{other.email || other.phone}</span>
                    </span>
                  </label>
                ))}
              </fieldset>
            )
          }}
        </Loaded>
      </div>
      <div class="dialog-actions">
        <Button onPress={onClose}>{common.value.cancel}</Button>
        {picked.value && (
          <Button kind="primary" danger onPress={() => picked.value && merge(picked.value)}>
            {words.mergeAction(picked.value.name || words.noName)}
          </Button>
        )}
      </div>
    </Dialog>
  )
}
