import {
  countFeedback,
  countHandoff,
  countEvent,
  countReceivedMessage,
  countSentMessage,
  countSessionStarted,
  countUnansweredQuestions,
  endWaitOnStateChange,
} from './analytics/event-counters.ts'
import { removeTenantSessions } from './chat/session/erasure.ts'
import { eraseSessionDeliveries, eraseTenantDeliveries } from './delivery/queue/erase.ts'
import type { Reactions } from './events.ts'
import { eraseSessionInbound } from './integrations/inbound-queue.ts'
import { noteReply } from './inbox/reply-mails.ts'
import { enqueueOutbound } from './integrations/outbound/outbound.ts'
import { embedAnew } from './knowledge/vectors/embedder.ts'
import { countUnanswered } from './knowledge/unanswered/unanswered.ts'
import { eraseMemberInputs } from './privacy/run-inputs.ts'
import { failLapsedRun } from './prompts/runs/run.ts'
import { extractLead } from './leads/lead-extraction.ts'
import {
  notifyOfContact,
  notifyOfCredits,
  notifyOfHandoff,
  notifyOfWaiting,
  notifyOfWebhook,
} from './notifications/notify.ts'
import { matchRules } from './rules/matching.ts'
import { matchSubscriptions } from './subscriptions/matching.ts'
import { mailCreditWarning } from './workspaces/mails.ts'

/** On an event: its handlers, in the order in which they run, in the transaction of the event. */
export const reactions: Reactions = {
  'turn.capped': [countEvent],
  'session.erased': [eraseSessionDeliveries, eraseSessionInbound],
  'tenant.removed': [removeTenantSessions],
  'embedding.changed': [embedAnew],
  'sessions.removed': [eraseTenantDeliveries],
  'session.started': [matchRules, countSessionStarted],
  'message.received': [matchSubscriptions, countReceivedMessage, extractLead],
  'message.sent': [enqueueOutbound, countSentMessage, noteReply],
  'visitor.waiting': [notifyOfWaiting],
  'session.changed': [endWaitOnStateChange],
  'session.closed': [matchRules],
  'operator.message': [matchRules],
  'feedback.given': [countFeedback, matchRules],
  'questions.unanswered': [countUnanswered, countUnansweredQuestions],
  'contact.given': [notifyOfContact],
  'lead.kept': [matchSubscriptions, countEvent, notifyOfContact],
  'lead.created': [matchRules],
  'appointment.created': [matchRules, countEvent],
  'appointment.changed': [matchRules],
  'appointment.cancelled': [matchRules],
  'handoff.requested': [matchRules, countHandoff, notifyOfHandoff],
  'payment.succeeded': [matchRules],
  'payment.failed': [matchRules],
  'subscription.plan_changed': [matchRules],
  'quota.threshold_reached': [matchRules],
  'credits.low': [matchSubscriptions, notifyOfCredits],
  'webhook.disabled': [notifyOfWebhook],
  'credits.warning': [mailCreditWarning],
  'hold.lapsed': [failLapsedRun],
  'member.removed': [eraseMemberInputs],
  'prompt.executed': [matchSubscriptions],
  'prompt.failed': [matchSubscriptions],
  'social.comment.received': [matchSubscriptions],
  'social.dm.received': [matchSubscriptions],
  'social.post.published': [matchSubscriptions],
  'subscription.renewed': [matchSubscriptions],
  'subscription.cancelled': [matchSubscriptions],
}
