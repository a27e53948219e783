import type { Reactions } from './events.ts'
import { matchRules } from './rules/matching.ts'

/** On an event: who reacts, in the same transaction (`during`) or once it is committed (`after`). */
export const reactions: Reactions = {
  'session.started': { during: [matchRules], after: [] },
  'message.received': { during: [], after: [] },
  'lead.created': { during: [matchRules], after: [] },
  'quota.threshold_reached': { during: [matchRules], after: [] },
  'credits.low': { during: [], after: [] },
}
