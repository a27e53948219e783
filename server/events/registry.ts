import { z } from 'zod'
import { monthEvents, paymentEvents } from './billing.ts'
import type { Priority } from './descriptor.ts'
import { promptEvents } from './prompts.ts'
import { followUpEvents, handoffEvents, sessionEvents } from './sessions.ts'
import { socialEvents } from './social.ts'

/** Events of webhooks themselves. */
const webhookEvents = {
  /** The service disabled a webhook subscription. */
  'webhook.disabled': {
    data: z.object({
      subscription_id: z.string(),
      host: z.string(),
      why: z.enum(['gone', 'exhausted']),
    }),
  },
}

/** Events of members. */
const memberEvents = {
  /** A user left the workspace. */
  'member.removed': { data: z.object({ user_id: z.string() }) },
}

/**
 * Every event of the product. Their order is that of the catalogue of rules and of the enums in the
 * API document, so that a new event goes to the end of its family.
 */
export const EVENTS = {
  ...promptEvents,
  ...sessionEvents,
  ...socialEvents,
  ...paymentEvents,
  ...handoffEvents,
  ...monthEvents,
  ...webhookEvents,
  ...followUpEvents,
  ...memberEvents,
}

type Events = typeof EVENTS
export type EventName = keyof Events
export type DataOf<Name extends EventName> = z.infer<Events[Name]['data']>

type NamesWith<Fields> = {
  [Name in EventName]: Events[Name] extends Fields ? Name : never
}[EventName]
type RuleEventName = NamesWith<{ rulePriority: Priority }>
type PlatformEventName = NamesWith<{ publicName: string }>
type PublicName = Events[PlatformEventName]['publicName']

const NAMES = Object.keys(EVENTS).filter((name) => isEvent(name))

/** The events that a webhook rule can wait for. */
export const RULE_EVENTS = NAMES.filter((name) => isRuleEvent(name))

const PLATFORM_EVENTS = NAMES.filter((name) => isPlatformEvent(name))
const INTERNAL_NAMES = new Map<PublicName, PlatformEventName>(
  PLATFORM_EVENTS.map((name) => [EVENTS[name].publicName, name]),
)

/** The names of the events that a webhook subscription can wait for. */
export const PUBLIC_NAMES = [...INTERNAL_NAMES.keys()]

/** The name of an event in webhook subscriptions; `undefined` for an event that they never send. */
export function publicName(event: EventName): PublicName | undefined {
  return isPlatformEvent(event) ? EVENTS[event].publicName : undefined
}

/** The event behind a name in webhook subscriptions. */
export function internalName(name: PublicName): PlatformEventName {
  const event = INTERNAL_NAMES.get(name)
  if (event === undefined) throw new Error(`No event has the public name ${name}.`)
  return event
}

function isEvent(name: string): name is EventName {
  return Object.hasOwn(EVENTS, name)
}

function isRuleEvent(name: EventName): name is RuleEventName {
  return 'rulePriority' in EVENTS[name]
}

function isPlatformEvent(name: EventName): name is PlatformEventName {
  return 'publicName' in EVENTS[name]
}
