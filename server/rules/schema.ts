import { z } from 'zod'
import { TenantId } from '../tenants/schema.ts'
import { text } from '../http/text-field.ts'
import { Attempt, AttemptOutcome } from '../delivery/schema.ts'
import { PRIORITIES } from '../events/descriptor.ts'
import { RULE_EVENTS } from '../events/registry.ts'
import { IsoTime, Moment, PageQuery } from '../http/pagination.ts'

const MAX_NAME_LENGTH = 120
const MAX_URL_LENGTH = 2_048

/** The events that a rule can wait for. */
export const RuleEvent = z.enum(RULE_EVENTS)
export type RuleEvent = z.infer<typeof RuleEvent>

const Priority = z.enum(PRIORITIES)

/** All given conditions must match the event. */
export const Conditions = z
  .strictObject({
    min_confidence: z.number().min(0).max(1).optional().meta({
      description:
        'The least confidence of a lead, an appointment or a handoff; events without one pass.',
    }),
    tenant_id: TenantId.optional().meta({ description: 'Only events of this site.' }),
    sector: text(1, 100).optional().meta({ description: 'Only events of sites of this sector.' }),
    source: text(1, 100).optional().meta({
      description: 'Only events from this source, such as `widget_form` or `whatsapp`.',
    }),
  })
  .meta({ description: 'All that are given must hold when the event happens.' })
export type Conditions = z.infer<typeof Conditions>

const Name = text(1, MAX_NAME_LENGTH).meta({ description: 'A label for people.' })
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
const Secret = z
  .string()
  .regex(/^\P{C}{16,256}$/u, 'must have between 16 and 256 printable characters')
  .meta({
    description: 'The key of the signatures: 16 to 256 printable characters. Made when left out.',
  })
const Active = z.boolean().meta({
  description:
    'Events that occur while a rule is switched off are not sent, then or later; what was already ' +
    'waiting goes out when it is on again.',
})
const StandardSecret = z.string().meta({
  description: 'The same secret in the form that libraries of Standard Webhooks take.',
  examples: ['whsec_YSBzZWNyZXQgb2YgbXkgb3du'],
})

const Events = z
  .array(RuleEvent)
  .min(1)
  .max(RULE_EVENTS.length)
  .transform((events) => [...new Set(events)])
const ONE_OR_LIST = 'is required, or `events`, and not both'

export const NewRule = z
  .strictObject({
    name: Name,
    event: RuleEvent.optional().meta({ description: 'The kind of event; or `events`.' }),
    events: Events.optional().meta({ description: 'Several kinds, in place of `event`.' }),
    url: Url,
    secret: Secret.optional(),
    conditions: Conditions.default({}),
    active: Active.default(true),
  })
  .refine(({ event, events }) => (event === undefined) !== (events === undefined), {
    path: ['event'],
    message: ONE_OR_LIST,
  })
export type NewRule = z.infer<typeof NewRule>

export const RulePatch = z
  .strictObject({
    name: Name.optional(),
    event: RuleEvent.optional(),
    events: Events.optional().meta({ description: 'In place of the present ones.' }),
    url: Url.optional(),
    secret: Secret.optional(),
    conditions: Conditions.optional(),
    active: Active.optional(),
  })
  .refine(({ event, events }) => event === undefined || events === undefined, {
    path: ['event'],
    message: 'cannot be given with `events`',
  })
export type RulePatch = z.infer<typeof RulePatch>

/** As it was given: one event, or a list. */
const GIVEN_EVENTS = { event: RuleEvent.optional(), events: z.array(RuleEvent).optional() }

/** The response to a new rule. */
export const CreatedRule = z.object({
  ok: z.literal(true),
  rule_id: z.string().meta({ examples: ['rule_3ZtVn8RqXw5kJd0LpYcGhM'] }),
  ...GIVEN_EVENTS,
  active: z.boolean(),
  created_at: IsoTime,
  secret: z.string().optional().meta({
    description: 'Only when it was made because none was given, and only in this answer.',
  }),
  standard_secret: StandardSecret.optional(),
})

export const Rule = z.object({
  rule_id: z.string(),
  name: z.string(),
  ...GIVEN_EVENTS,
  url: z.string(),
  conditions: Conditions,
  active: Active,
  created_at: IsoTime,
  updated_at: IsoTime,
})
export type Rule = z.infer<typeof Rule>

export const NewRuleSecret = z.strictObject({ secret: Secret.optional() }).nullish()

export const RotatedRuleSecret = z.object({
  rule_id: z.string(),
  secret: z.string().meta({ description: 'Shown in this answer only.' }),
  standard_secret: StandardSecret,
  previous_valid_until: IsoTime.meta({
    description: "Until then `webhook-signature` holds the old secret's signature too.",
  }),
})

const DeliveryState = z.enum([
  ...(['waiting', 'sending', 'held', 'dead_letter'] as const),
  ...(['delivered', 'failed', 'cancelled', 'expired'] as const),
])

export const RuleDeliveryQuery = PageQuery.extend({
  state: DeliveryState.optional().meta({ description: 'Only deliveries in this state.' }),
})

/** The delivery of one event to one rule. */
export const RuleDelivery = z.object({
  webhook_id: z.string(),
  rule_id: z.string(),
  event: z.string(),
  state: DeliveryState.meta({
    description:
      '`waiting` for its next attempt, `sending`, `held` while the rule is switched off, `dead_letter`, ' +
      '`delivered`, `failed` (a test), `cancelled` because the rule was deleted, `expired` after it was ' +
      'held or kept for too long.',
  }),
  created_at: IsoTime,
  next_attempt_at: IsoTime.nullable(),
  body: z.string().nullable().meta({
    description: 'As it is sent; null once the delivery is over, because the body is deleted then.',
  }),
  attempts: z.array(Attempt),
})
export type RuleDelivery = z.infer<typeof RuleDelivery>

export const DeadLetter = z.object({
  webhook_id: z.string(),
  rule_id: z.string(),
  event: z.string(),
  body: z.string().meta({ description: 'As it was sent, byte for byte.' }),
  created_at: IsoTime,
  died_at: IsoTime.meta({ description: 'When its last attempt failed.' }),
  expires_at: IsoTime.meta({ description: 'Until then it can be sent again.' }),
  attempts: z.array(Attempt),
})
export type DeadLetter = z.infer<typeof DeadLetter>

export const RuleTestOutcome = AttemptOutcome.extend({
  webhook_id: z.string(),
  ok: z.boolean().meta({ description: 'Whether it was answered with 2xx.' }),
  answer: Attempt.shape.answer,
})

export const CatalogueEntry = z.object({
  event: RuleEvent,
  priority: Priority,
  schema: z.record(z.string(), z.unknown()).meta({
    description: 'The JSON Schema (2020-12) of `data`.',
  }),
  sample: z.object({
    event: z.string(),
    webhook_id: z.string(),
    timestamp: z.string(),
    data: z.record(z.string(), z.unknown()),
    signature: z.string(),
  }),
})
export type CatalogueEntry = z.infer<typeof CatalogueEntry>

/** Selects dead letters; all given fields must match. */
const LETTER_FILTER = {
  rule_id: z.string().max(64).optional().meta({ description: 'Only those of this rule.' }),
  event: RuleEvent.optional().meta({ description: 'Only those of this kind of event.' }),
  since: Moment.optional().meta({
    description: 'Only those whose last attempt failed at this time or later (ISO 8601).',
  }),
}

export const LetterQuery = PageQuery.extend(LETTER_FILTER)

export const DeadLetterQuery = z.strictObject(LETTER_FILTER).nullish()
export type DeadLetterQuery = z.infer<typeof DeadLetterQuery>

export const RetriedLetters = z.object({
  ok: z.literal(true),
  retried: z.int().meta({ description: 'How many go out again, each under its own id.' }),
})

export const RetriedLetter = z.object({ ok: z.literal(true), webhook_id: z.string() })
