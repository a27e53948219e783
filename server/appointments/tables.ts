interface AppointmentsTable {
  id: string
  workspace_id: string
  tenant_id: string
  session_id: string | null
  chatbot_id: string
  service: string | null
  start_at: number
  end_at: number
  name: string
  phone: string | null
  email: string | null
  locale: string
  source: string
  /** The words that were agreed to, and when; null where no consent was given. */
  consent_text: string | null
  consent_at: number | null
  state: 'booked' | 'cancelled'
  /** How often it was changed: calendars keep the highest. */
  changes: number
  created_at: number
  updated_at: number
}

declare module '../storage/database.ts' {
  interface Tables {
    appointments: AppointmentsTable
  }
}

export type { AppointmentsTable }
