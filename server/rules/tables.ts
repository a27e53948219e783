import type { RuleEvent } from './schema.ts'

interface RulesTable {
  id: string
  workspace_id: string
  name: string
  event: RuleEvent
  url: string
  /** Sealed for the rule's id. */
  secret: string
  previous_secret: string | null
  /** Until then the previous secret signs too. */
  previous_until: number | null
  /** JSON. */
  conditions: string
  disabled_at: number | null
  /** A deleted rule stays as a place for the history of its deliveries. */
  deleted_at: number | null
  created_at: number
  updated_at: number
}

declare module '../storage/database.ts' {
  interface Tables {
    rules: RulesTable
  }
}
