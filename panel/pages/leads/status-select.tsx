import type { VNode } from 'preact'
import type { ManagedLead } from '../../../server/leads/schema.ts'
import type { Words } from '../../locales/en/leads.ts'

export type LeadStatus = ManagedLead['status']
export const STATUSES = ['new', 'contacted', 'won', 'lost'] as const satisfies readonly LeadStatus[]

/** The status as a small choice in its colour. */
export function StatusSelect({
  status,
  label,
  words,
  onPick,
}: {
  status: LeadStatus
  label: string
  words: Words
  onPick: (status: LeadStatus) => void
}): VNode {
  return (
    <select
      class={`input lead-status ${status}`}
      aria-label={label}
      value={status}
      onChange={(event) => {
        const { value } = event.currentTarget
        const picked = STATUSES.find((each) => each === value)
        if (picked) onPick(picked)
      }}
    >
      {STATUSES.map((each) => (
        <option key={each} value={each}>
          {words.statuses[each]}
        </option>
      ))}
    </select>
  )
}
