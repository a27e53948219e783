import type { VNode } from 'preact'
import type { ActionCall } from '../../../server/actions/schema.ts'
import type { Words } from '../../locales/en/actions.ts'
import { Badge } from '../../ui/page.tsx'

const TONES = {
  running: 'accent',
  done: 'good',
  not_found: 'plain',
  refused: 'warn',
  failed: 'wrong',
  unknown: 'wrong',
} as const

export function CallState({ state, words }: { state: ActionCall['state']; words: Words }): VNode {
  return <Badge tone={TONES[state]}>{words.states[state]}</Badge>
}

/** Returns why a call failed, as a sentence with what to do. */
export function callError(error: string, words: Words): string {
  const [, field] = /^field_missing: (.+)$/.exec(error) ?? []
  if (field !== undefined) return words.fieldMissing(field)
  const [, status] = /^status (\d+)$/.exec(error) ?? []
  if (status !== undefined) return words.statusError(status)
  return words.callErrors[error] ?? words.attempts.errors[error] ?? error
}
