import type { SigningSecretColumns } from '../delivery/signing-secrets.ts'
import type { Language } from '../lib/text/language.ts'

interface ActionsTable extends SigningSecretColumns {
  id: string
  workspace_id: string
  tenant_id: string
  name: string
  /** JSON of `ActionDefinition`. */
  definition: string
  /** JSON: the encrypted value of each header by its name. */
  headers: string
  disabled_at: number | null
  created_at: number
  updated_at: number
}

/** The open question of a session about an action; at most one for each session. */
interface ActionDialogsTable {
  session_id: string
  /** Another one for each state that the visitor is shown. */
  id: string
  workspace_id: string
  action_id: string
  /** The action's `updated_at`: a changed action ends the dialog. */
  action_version: number
  /** The visitor's message that led to this state. */
  message_id: string
  state: 'collecting' | 'confirming' | 'running'
  language: Language
  /** JSON of the inputs so far. */
  inputs: string
  /** The input that the visitor is asked for. */
  asked: string | null
  /** Answers in a row that did not fit. */
  misses: number
  call_id: string | null
  expires_at: number
}

/** Calls of actions, of visitors and tests. */
interface ActionCallsTable {
  id: string
  workspace_id: string
  tenant_id: string
  action_id: string
  /** Null for a test. */
  session_id: string | null
  /** The visitor's message that caused it. */
  message_id: string | null
  /** Digest of the inputs. */
  digest: string
  state: 'running' | 'done' | 'not_found' | 'refused' | 'failed' | 'unknown'
  is_test: number
  /** JSON. */
  inputs: string
  /** JSON of `ActionAttempt[]`. */
  attempts: string
  error: string | null
  /** JSON of the fields that were shown. */
  shown: string | null
  created_at: number
  ended_at: number | null
}

declare module '../storage/database.ts' {
  interface Tables {
    actions: ActionsTable
    action_dialogs: ActionDialogsTable
    action_calls: ActionCallsTable
  }
}
