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
import { eraseSessionInbound } from './integrations/inbound/inbound.ts'
import { enqueueOutbound } from './integrations/outbound/outbound.ts'
import { countUnanswered } from './knowledge/unanswered.ts'
import { failLapsedRun } from './prompts/run.ts'
import { gatherLead } from './leads/gathering.ts'
import { matchRules } from './rules/matching.ts'
import { matchSubscriptions } from './subscriptions/matching.ts'

/** On an event: its handlers, in the order in which they run, in the transaction of the event. */
export const reactions: Reactions = {
  'turn.capped': [countOne],
  'session.erased': [eraseSessionDeliveries, eraseSessionInbound],
  'tenant.removed': [eraseTenantDeliveries],
  'session.started': [matchRules, countSession],
  'message.received': [matchSubscriptions, countReceived, gatherLead],
  'message.sent': [enqueueOutbound, countSent],
  'session.changed': [forgetWait],
  'feedback.given': [countFeedback],
  'question.unanswered': [countUnanswered, countUnknown],
  'lead.created': [matchRules, matchSubscriptions, countOne],
  'appointment.created': [matchRules, countOne],
  'handoff.requested': [matchRules, countHandoff],
  'payment.succeeded': [matchRules],
  'payment.failed': [matchRules],
  'subscription.plan_changed': [matchRules],
  'quota.threshold_reached': [matchRules],
  'credits.low': [matchSubscriptions],
  'hold.lapsed': [failLapsedRun],
  'prompt.executed': [matchSubscriptions],
  'prompt.failed': [matchSubscriptions],
  'social.comment.received': [matchSubscriptions],
  'social.dm.received': [matchSubscriptions],
  'social.post.published': [matchSubscriptions],
  'subscription.renewed': [matchSubscriptions],
  'subscription.cancelled': [matchSubscriptions],
}
