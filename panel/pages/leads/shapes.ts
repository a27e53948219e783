import type { ManagedLead } from '../../../server/leads/schema.ts'

export const STATUSES = ['new', 'contacted', 'won', 'lost'] as const
export type LeadStatus = (typeof STATUSES)[number]

/** A lead with how far the workspace is with it. */
export interface Lead extends ManagedLead {
  status: LeadStatus
  owner: { user_id: string; name: string } | null
  notes: string
}

/** Who can look after a lead. */
export interface Colleague {
  user_id: string
  name: string
}
