import { z } from 'zod'
import { Attempt, AttemptOutcome } from '../delivery/schema.ts'
import { PUBLIC_NAMES } from '../events/registry.ts'
import { IsoTime, Moment, PageQuery } from '../http/pagination.ts'

const MAX_URL_LENGTH = 2_048

/** The events that a subscription can wait for (prompt platform, "Event types"). */
export const PlatformEvent = z.enum(PUBLIC_NAMES)
export type PlatformEvent = z.infer<typeof PlatformEvent>

const Url = z
  .string()
  .min(1)
  .max(MAX_URL_LENGTH)
  .meta({
    description:
      'Where events are sent. `https:` only, on port 443 or 1024–65535 less those of well-known databases, ' +
      'without user information or fragment, and only to public addresses.',
    examples: ['https://crm.example/hook'],
  })
const Events = z
  .array(PlatformEvent)
  .min(1)
  .transform((events) => [...new Set(events)])
  .meta({
    description: 'The kinds of event to send.',
    examples: [['chatbot.lead', 'prompt.executed']],
  })
const Secret = z
  .string()
  .regex(/^\P{C}{32,256}$/u, 'must have between 32 and 256 printable characters')
  .meta({
    description: 'The key of the signatures: 32 to 256 printable characters. Made when left out.',
  })
const Active = z.boolean().meta({
  description:
    'Your own switch. Events that occur while it is off are not sent, then or later; what was already ' +
    'waiting goes out when it is on again.',
})

export const NewSubscription = z.strictObject({
  url: Url,
  events: Events,
  secret: Secret.optional(),
  active: Active.default(true),
})
export type NewSubscription = z.infer<typeof NewSubscription>

export const SubscriptionPatch = z.strictObject({
  url: Url.optional(),
  events: Events.optional(),
  secret: Secret.optional(),
  active: Active.optional(),
})
export type SubscriptionPatch = z.infer<typeof SubscriptionPatch>

export const Subscription = z.object({
  id: z.string().meta({ examples: ['whs_3ZtVn8RqXw5kJd0LpYcGhM'] }),
  url: z.string(),
  events: z.array(PlatformEvent),
  active: Active,
  state: z.enum(['active', 'disabled']).meta({
    description:
      'Set by the service: `disabled` after a `ping` that was not answered with 2xx, after the last ' +
      'retry of a delivery failed, and after the answer 410. Events are held for 7 days. ' +
      'Deliveries go out only while this is `active` and `active` is true.',
  }),
  disabled_reason: z
    .enum(['ping', 'gone', 'exhausted'])
    .nullable()
    .meta({
      description:
        '`ping`: not answered with 2xx; `gone`: the receiver answered 410; `exhausted`: the last retry of ' +
        'a delivery failed; null while active.',
    }),
  disabled_at: IsoTime.nullable(),
  ping: AttemptOutcome.nullable().meta({
    description: 'The result of the last `ping`; null while the first is in flight.',
  }),
  created_at: IsoTime,
})
export type Subscription = z.infer<typeof Subscription>

const ShownSecret = {
  secret: z.string().meta({ description: 'Shown in this answer only.' }),
  standard_secret: z.string().meta({
    description: 'The same secret in the form that libraries of Standard Webhooks take.',
    examples: ['whsec_YSBzZWNyZXQgb2YgMzIgb3IgbW9yZSBjaGFyYWN0ZXJz'],
  }),
}

export const CreatedSubscription = Subscription.extend(ShownSecret)

export const NewSubscriptionSecret = z.strictObject({ secret: Secret.optional() }).nullish()

export const RotatedSubscriptionSecret = z.object({
  id: z.string(),
  ...ShownSecret,
  previous_valid_until: IsoTime.meta({
    description: "Until then `webhook-signature` holds the old secret's signature too.",
  }),
})

export const TestRequest = z
  .strictObject({
    event: PlatformEvent.optional().meta({
      description: "The event of the sample; the subscription's first one by default.",
    }),
  })
  .nullish()

export const SubscriptionTestResult = AttemptOutcome.extend({
  id: z.string().meta({ description: 'The `X-SVC-Delivery` of the sample.' }),
  event: PlatformEvent,
  ok: z.boolean().meta({ description: 'Whether it was answered with 2xx.' }),
  answer: Attempt.shape.answer,
})

export const RetryResult = z.object({
  ok: z.boolean().meta({ description: 'Whether the `ping` was answered with 2xx.' }),
  resent: z.int().meta({
    description:
      'How many failed and held deliveries were queued with this call. When there are more than some ' +
      'hundred, the rest follows in the background.',
  }),
  subscription: Subscription,
})

const DeliveryState = z.enum([
  ...(['waiting', 'sending', 'held', 'delivered'] as const),
  ...(['failed', 'cancelled', 'expired'] as const),
])

export const DeliveryQuery = PageQuery.extend({
  state: DeliveryState.optional().meta({ description: 'Only deliveries in this state.' }),
})

export const RecoverRequest = z.strictObject({
  since: Moment.meta({
    description: 'Everything whose attempts failed at this time or later (ISO 8601).',
    examples: ['2026-11-21T09:30:00Z'],
  }),
})

export const Recovered = z.object({
  ok: z.literal(true),
  recovery_id: z.string(),
  resent: z.int().meta({ description: 'How many deliveries were queued with this call.' }),
  finished: z.boolean().meta({
    description: 'False when there are more: the rest follows later, also after a restart.',
  }),
})

export const RetriedDelivery = z.object({ ok: z.literal(true), id: z.string() })

/** The delivery of one event to one subscription. */
export const SubscriptionDelivery = z.object({
  id: z.string().meta({ description: 'The `X-SVC-Delivery` of every attempt.' }),
  event: z.string().meta({ description: 'One of the subscription, or `ping`.' }),
  state: DeliveryState.meta({
    description:
      '`waiting` for its next attempt, `sending`, `held` until the subscription is active, `delivered`, ' +
      '`failed` for good, `cancelled` because the subscription was deleted, `expired` after it was held ' +
      'or kept for too long.',
  }),
  created_at: IsoTime,
  next_attempt_at: IsoTime.nullable(),
  body: z.string().nullable().meta({
    description: 'As it is sent; null once the delivery is over, because the body is deleted then.',
  }),
  attempts: z.array(Attempt),
})
export type SubscriptionDelivery = z.infer<typeof SubscriptionDelivery>
