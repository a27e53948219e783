import { z } from 'zod'
import { TenantId, text } from '../chat/schema.ts'
import { Attempt } from '../delivery/schema.ts'

const MAX_NAME_LENGTH = 120
const MAX_URL_LENGTH = 2_048

/** What a rule can wait for (contract, section 6). */
export const RuleEvent = z.enum([
  'session.started',
  'lead.created',
  'appointment.created',
  'payment.succeeded',
  'payment.failed',
  'subscription.plan_changed',
  'handoff.requested',
  'quota.threshold_reached',
])
export type RuleEvent = z.infer<typeof RuleEvent>

export const Priority = z.enum(['info', 'medium', 'high', 'critical'])
export type Priority = z.infer<typeof Priority>

/** All that are given must hold; judged when the event happens. */
export const Conditions = z.strictObject({
  min_confidence: z.number().min(0).max(1).optional(),
  tenant_id: TenantId.optional(),
  sector: text(1, 100).optional(),
  source: text(1, 100).optional(),
})
export type Conditions = z.infer<typeof Conditions>

const Name = text(1, MAX_NAME_LENGTH)
const Url = z.string().min(1).max(MAX_URL_LENGTH)
const Secret = z
  .string()
  .regex(/^\P{C}{16,256}$/u, 'must have between 16 and 256 printable characters')

export const NewRule = z.strictObject({
  name: Name,
  event: RuleEvent,
  url: Url,
  secret: Secret.optional(),
  conditions: Conditions.default({}),
  active: z.boolean().default(true),
})
export type NewRule = z.infer<typeof NewRule>

export const RulePatch = z.strictObject({
  name: Name.optional(),
  event: RuleEvent.optional(),
  url: Url.optional(),
  secret: Secret.optional(),
  conditions: Conditions.optional(),
  active: z.boolean().optional(),
})
export type RulePatch = z.infer<typeof RulePatch>

/** The answer to a new rule. The secret is there only when it was generated, and only this once. */
export const CreatedRule = z.object({
  ok: z.literal(true),
  rule_id: z.string(),
  event: RuleEvent,
  active: z.boolean(),
  created_at: z.string(),
  secret: z.string().optional(),
  standard_secret: z.string().optional(),
})

export const Rule = z.object({
  rule_id: z.string(),
  name: z.string(),
  event: RuleEvent,
  url: z.string(),
  conditions: Conditions,
  active: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type Rule = z.infer<typeof Rule>

export const NewSecret = z.strictObject({ secret: Secret.optional() }).nullish()

export const RotatedSecret = z.object({
  rule_id: z.string(),
  secret: z.string(),
  standard_secret: z.string(),
  /** Until then `webhook-signature` holds the old secret's signature too. */
  previous_valid_until: z.string(),
})

export const RuleDelivery = z.object({
  webhook_id: z.string(),
  rule_id: z.string(),
  event: z.string(),
  state: z.enum([
    ...(['waiting', 'sending', 'held', 'dead_letter'] as const),
    ...(['delivered', 'failed', 'cancelled', 'expired'] as const),
  ]),
  created_at: z.string(),
  next_attempt_at: z.string().nullable(),
  attempts: z.array(Attempt),
})
export type RuleDelivery = z.infer<typeof RuleDelivery>

export const DeadLetter = z.object({
  webhook_id: z.string(),
  rule_id: z.string(),
  event: z.string(),
  /** The body as it was sent. */
  body: z.string(),
  created_at: z.string(),
  died_at: z.string(),
  expires_at: z.string(),
  attempts: z.array(Attempt),
})
export type DeadLetter = z.infer<typeof DeadLetter>

export const TestResult = z.object({
  webhook_id: z.string(),
  ok: z.boolean(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  latency_ms: z.int().nullable(),
  answer: z.string().nullable(),
})

export const CatalogueEntry = z.object({
  event: RuleEvent,
  priority: Priority,
  /** A body as a receiver gets it; its signature is made up. */
  sample: z.object({
    event: z.string(),
    webhook_id: z.string(),
    timestamp: z.string(),
    data: z.record(z.string(), z.unknown()),
    signature: z.string(),
  }),
})
export type CatalogueEntry = z.infer<typeof CatalogueEntry>

export const RetriedLetter = z.object({ ok: z.literal(true), webhook_id: z.string() })
