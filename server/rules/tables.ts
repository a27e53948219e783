import type { SigningSecretColumns } from '../delivery/signing-secrets.ts'
import type { RuleEvent } from './schema.ts'

interface RulesTable extends SigningSecretColumns {
  id: string
  workspace_id: string
  name: string
  /** The first event of a list. */
  event: RuleEvent
  /** JSON; null for a rule that was given one event. */
  events: string | null
  url: string
  /** JSON. */
  conditions: string
  disabled_at: number | null
  /** A deleted rule remains as the owner of its delivery history. */
  deleted_at: number | null
  created_at: number
  updated_at: number
}

declare module '../storage/database.ts' {
  interface Tables {
    rules: RulesTable
  }
}
