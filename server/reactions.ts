import {
  countFeedback,
  countHandoff,
  countOne,
  countReceived,
  countSent,
  countSession,
  countUnknown,
  forgetWait,
} from './analytics/counting.ts'
import { eraseSessionDeliveries, eraseTenantDeliveries } from './delivery/erase.ts'
import type { Reactions } from './events.ts'
import { eraseSessionInbound } from './hooks/inbound.ts'
import { carryMessage } from './hooks/outbox.ts'
import { countUnanswered } from './knowledge/unanswered.ts'
import { failLapsedRun } from './prompts/run.ts'
import { gatherLead } from './leads/gathering.ts'
import { matchRules } from './rules/matching.ts'
import { matchSubscriptions } from './subscriptions/matching.ts'

/** On an event: who reacts, in the same transaction (`during`) or once it is committed (`after`). */
export const reactions: Reactions = {
  'turn.capped': { during: [countOne], after: [] },
  'session.erased': { during: [eraseSessionDeliveries, eraseSessionInbound], after: [] },
  'tenant.removed': { during: [eraseTenantDeliveries], after: [] },
  'session.started': { during: [matchRules, countSession], after: [] },
  'message.received': { during: [matchSubscriptions, countReceived, gatherLead], after: [] },
  'message.sent': { during: [carryMessage, countSent], after: [] },
  'session.changed': { during: [forgetWait], after: [] },
  'feedback.given': { during: [countFeedback], after: [] },
  'question.unanswered': { during: [countUnanswered, countUnknown], after: [] },
  'lead.created': { during: [matchRules, matchSubscriptions, countOne], after: [] },
  'appointment.created': { during: [matchRules, countOne], after: [] },
  'handoff.requested': { during: [matchRules, countHandoff], after: [] },
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
