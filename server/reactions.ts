import type { Reactions } from './events.ts'
import { matchRules } from './rules/matching.ts'

/** On an event: who reacts, in the same transaction (`during`) or once it is committed (`after`). */
export const reactions: Reactions = {
  'session.started': { during: [matchRules], after: [] },
  'message.received': { during: [], after: [] },
  'lead.created': { during: [matchRules], after: [] },
  'appointment.created': { during: [matchRules], after: [] },
  'handoff.requested': { during: [matchRules], after: [] },
  'payment.succeeded': { during: [matchRules], after: [] },
  'payment.failed': { during: [matchRules], after: [] },
  'subscription.plan_changed': { during: [matchRules], after: [] },
  'quota.threshold_reached': { during: [matchRules], after: [] },
  'credits.low': { during: [], after: [] },
  'prompt.executed': { during: [], after: [] },
  'prompt.failed': { during: [], after: [] },
  'social.comment.received': { during: [], after: [] },
  'social.dm.received': { during: [], after: [] },
  'social.post.published': { during: [], after: [] },
  'subscription.renewed': { during: [], after: [] },
  'subscription.cancelled': { during: [], after: [] },
}
