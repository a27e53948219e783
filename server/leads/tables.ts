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
}

/** What of the contact details a visitor has written so far. */
interface LeadDraftsTable {
  session_id: string
  workspace_id: string
  name: string | null
  phone: string | null
  email: string | null
  confidence: number
  updated_at: number
}

/** The code that was mailed last to somebody who leaves their details. */
interface LeadCodesTable {
  session_id: string
  workspace_id: string
  digest: string
  /** How often it may still be tried. */
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
