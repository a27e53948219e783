import { AppError } from '../http/errors.ts'
import type { Caller } from '../platform/auth/authenticator.ts'
import type { Turn } from './schema.ts'

/** Removes the credits from a visitor's answer: only the workspace sees its cost. */
export function redactCredits(turn: Turn, caller: Caller): Turn {
  if (caller.kind !== 'visitor') return turn
  const { credits_used: _used, credits_remaining: _remaining, ...rest } = turn
  return rest
}

/** Removes the workspace's balance and the site's cap from a visitor's 402. */
export function redactRefusal(error: unknown, caller: Caller): unknown {
  if (caller.kind !== 'visitor' || !(error instanceof AppError)) return error
  const { code, headers, more } = error
  if (code !== 'credits_exhausted' && code !== 'credits_held') return error
  const { session_id, reset_at } = more
  const detail =
    code === 'credits_held'
      ? 'Other answers are being written. Try again.'
      : 'This site has no credits left. Leave your contact details, or come back later.'
  return new AppError(code, detail, { headers, more: { session_id, reset_at }, cause: error })
}
