import { eraseSessionDeliveries } from './delivery/erase.ts'
import type { Reactions } from './events.ts'
import { countUnanswered } from './knowledge/unanswered.ts'
import { failLapsedRun } from './prompts/lapsed.ts'
import { matchRules } from './rules/matching.ts'
import { matchSubscriptions } from './subscriptions/matching.ts'

/** On an event: who reacts, in the same transaction (`during`) or once it is committed (`after`). */
export const reactions: Reactions = {
  'session.erased': { during: [eraseSessionDeliveries], after: [] },
  'session.started': { during: [matchRules], after: [] },
  'message.received': { during: [matchSubscriptions], after: [] },
  'message.sent': { during: [], after: [] },
  'session.changed': { during: [], after: [] },
  'feedback.given': { during: [], after: [] },
  'question.unanswered': { during: [countUnanswered], after: [] },
  'lead.created': { during: [matchRules, matchSubscriptions], after: [] },
  'appointment.created': { during: [matchRules], after: [] },
  'handoff.requested': { during: [matchRules], after: [] },
  'payment.succeeded': { during: [matchRules], after: [] },
  'payment.failed': { during: [matchRules], after: [] },
  'subscription.plan_changed': { during: [matchRules], after: [] },
  'quota.threshold_reached': { during: [matchRules], after: [] },
  'credits.low': { during: [matchSubscriptions], after: [] },
  'hold.lapsed': { during: [failLapsedRun], after: [] },
  'prompt.executed': { during: [matchSubscriptions], after: [] },
  'prompt.failed': { during: [matchSubscriptions], after: [] },
  'social.comment.received': { during: [matchSubscriptions], after: [] },
  'social.dm.received': { during: [matchSubscriptions], after: [] },
  'social.post.published': { during: [matchSubscriptions], after: [] },
  'subscription.renewed': { during: [matchSubscriptions], after: [] },
  'subscription.cancelled': { during: [matchSubscriptions], after: [] },
}
