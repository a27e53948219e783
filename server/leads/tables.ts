interface LeadsTable {
  id: string
  workspace_id: string
  tenant_id: string
  session_id: string
  chatbot_id: string
  sector: string
  name: string
  phone: string
  email: string
  interest: string
  source: string
  confidence: number
  consent_text: string | null
  consent_at: number | null
  captured_at: number
  status: 'new' | 'contacted' | 'won' | 'lost'
  /** The member who looks after the lead. */
  owner_id: string | null
  notes: string
}

/** Contact details collected from a visitor's messages. */
interface LeadDraftsTable {
  session_id: string
  workspace_id: string
  name: string | null
  phone: string | null
  email: string | null
  confidence: number
  updated_at: number
}

/** The last code mailed to an unverified address. */
interface LeadCodesTable {
  session_id: string
  workspace_id: string
  digest: string
  /** Attempts left. */
  tries: number
  expires_at: number
}

declare module '../storage/database.ts' {
  interface Tables {
    leads: LeadsTable
    lead_drafts: LeadDraftsTable
    lead_codes: LeadCodesTable
  }
}

export type { LeadsTable }
