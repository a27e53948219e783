import type { Refusal } from './api.ts'

/** Why the last message has no answer. */
export type SendError = 'offline' | 'failed' | 'cut' | 'unpaid' | 'refused'

/** Maps a refusal to the error that a visitor is shown. */
export function toSendError({ status, code }: Refusal): SendError {
  if (status === 402) return 'unpaid'
  if (status === 413 || status === 422) return 'refused'
  if (code === 'silent') return 'cut'
  return code === 'offline' || code === 'cut' ? code : 'failed'
}
