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
  /** The consent text and the time of the consent; null without a consent. */
  consent_text: string | null
  consent_at: number | null
  state: 'booked' | 'cancelled'
  /** Number of changes, the SEQUENCE of the calendar entry: calendars keep the highest. */
  changes: number
  created_at: number
  updated_at: number
}

/** The address of a site's calendar is signed with its version; without a row it is 0. */
interface CalendarFeedsTable {
  tenant_id: string
  workspace_id: string
  version: number
}

declare module '../storage/database.ts' {
  interface Tables {
    appointments: AppointmentsTable
    calendar_feeds: CalendarFeedsTable
  }
}

export type { AppointmentsTable }
