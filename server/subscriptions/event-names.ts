import type { EventName } from '../events.ts'
import { PlatformEvent } from './schema.ts'

/** What happened inside, by the name under which subscribers know it. */
export const INSIDE = {
  'prompt.executed': 'prompt.executed',
  'prompt.failed': 'prompt.failed',
  'chatbot.message': 'message.received',
  'chatbot.lead': 'lead.created',
  'social.post.published': 'social.post.published',
  'social.comment.received': 'social.comment.received',
  'social.dm.received': 'social.dm.received',
  'credits.low': 'credits.low',
  'subscription.renewed': 'subscription.renewed',
  'subscription.cancelled': 'subscription.cancelled',
} as const satisfies Record<PlatformEvent, EventName>

const OUTSIDE = new Map<EventName, PlatformEvent>(
  PlatformEvent.options.map((name) => [INSIDE[name], name]),
)

/** The name that subscribers know an event by; `undefined` for one that only rules can wait for. */
export function platformName(event: EventName): PlatformEvent | undefined {
  return OUTSIDE.get(event)
}
