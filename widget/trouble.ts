import type { Refusal } from './api.ts'

/** Why the last message has no answer. */
export type Trouble = 'offline' | 'failed' | 'cut' | 'unpaid' | 'refused'

/** What a refusal means to a visitor. */
export function troubleOf(refusal: Refusal): Trouble {
  if (refusal.status === 402) return 'unpaid'
  if (refusal.status === 413 || refusal.status === 422) return 'refused'
  return refusal.code === 'offline' ? 'offline' : refusal.code === 'cut' ? 'cut' : 'failed'
}
