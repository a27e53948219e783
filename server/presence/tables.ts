import type { PresenceState } from './schema.ts'

interface PresenceTable {
  user_id: string
  workspace_id: string
  /** The state that the member has set; `PRESENCE_TTL_MS` after `seen_at` it counts as `off`. */
  state: PresenceState
  changed_at: number
  seen_at: number
}

declare module '../storage/database.ts' {
  interface Tables {
    presence: PresenceTable
  }
}
