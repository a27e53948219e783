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

declare module '../storage/database.ts' {
  interface Tables {
    leads: LeadsTable
  }
}

export type { LeadsTable }
