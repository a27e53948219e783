import { z } from 'zod'
import type { Transaction } from './context.ts'
import { Lead } from './leads/schema.ts'

declare module './context.ts' {
  interface Services {
    readonly reactions: Reactions
  }
}

/** A message or a comment on a social network. */
const Social = {
  platform: z.string(),
  account_id: z.string(),
  author: z.string(),
  text: z.string(),
}
const Payment = {
  tenant_id: z.string().nullable(),
  provider: z.string(),
  payment_id: z.string(),
  /** In the currency's smallest unit. */
  amount: z.int(),
  currency: z.string(),
  customer_email: z.string().nullable(),
}
/** A session and the bot that it talks to. */
const SessionRef = { tenant_id: z.string(), chatbot_id: z.string(), session_id: z.string() }

/** What happened, inside the product. Rules and subscriptions translate these to what they send. */
export const EventData = {
  'session.started': z.object({
    ...SessionRef,
    channel: z.string(),
    locale: z.string(),
    page_url: z.string().nullable(),
    started_at: z.string(),
  }),
  'message.received': z.object({
    ...SessionRef,
    message_id: z.string(),
    text: z.string(),
    channel: z.string(),
    received_at: z.string(),
  }),
  /** What the bot, an operator or the service said: for channels that carry it to a visitor. */
  'message.sent': z.object({
    tenant_id: z.string(),
    session_id: z.string(),
    message_id: z.string(),
    role: z.enum(['assistant', 'operator', 'system']),
    text: z.string(),
    channel: z.string(),
    /** Whether the bot answers a question with it. */
    is_answer: z.boolean(),
    sent_at: z.string(),
  }),
  'session.changed': z.object({
    tenant_id: z.string(),
    session_id: z.string(),
    previous_state: z.enum(['bot', 'waiting', 'operator', 'closed']),
    state: z.enum(['bot', 'waiting', 'operator', 'closed']),
    reason: z.enum(['requested', 'claimed', 'released', 'closed', 'reopened']),
    /** The operator who has it then. */
    user_id: z.string().nullable(),
    changed_at: z.string(),
  }),
  'feedback.given': z.object({
    tenant_id: z.string(),
    session_id: z.string(),
    message_id: z.string().nullable(),
    /** 1–5. */
    rating: z.int(),
    /** What the visitor thought of the same before. */
    replaces: z.object({ rating: z.int(), given_at: z.string() }).nullable(),
    given_at: z.string(),
  }),
  /** The bot said that it does not know. */
  'question.unanswered': z.object({
    ...SessionRef,
    message_id: z.string(),
    text: z.string(),
    locale: z.string(),
    asked_at: z.string(),
  }),
  'lead.created': Lead,
  'appointment.created': z.object({
    ...SessionRef,
    appointment_id: z.string(),
    start: z.string(),
    end: z.string(),
    service: z.string().nullable(),
    name: z.string(),
    phone: z.string().nullable(),
    email: z.string().nullable(),
    confidence: z.number(),
  }),
  'handoff.requested': z.object({
    ...SessionRef,
    reason: z.enum(['visitor', 'low_confidence', 'model', 'operator']),
    /** Of the last answer, 0–1. */
    confidence: z.number(),
    requested_at: z.string(),
  }),
  'payment.succeeded': z.object({ ...Payment, paid_at: z.string() }),
  'payment.failed': z.object({ ...Payment, reason: z.string(), failed_at: z.string() }),
  'subscription.plan_changed': z.object({
    previous_plan: z.string(),
    plan: z.string(),
    change: z.enum(['upgrade', 'downgrade', 'cancellation']),
    changed_at: z.string(),
  }),
  'quota.threshold_reached': z.object({
    threshold: z.number(),
    used: z.number(),
    monthly_limit: z.number(),
    reset_at: z.string(),
  }),
  'credits.low': z.object({
    remaining: z.number(),
    monthly_limit: z.number(),
    addons: z.number(),
    reset_at: z.string(),
  }),
  /** Inside the product: a run died, and what it held went back. */
  'hold.lapsed': z.object({ run_id: z.string() }),
  /** A message has no answer, because the site has used its credits of the day. */
  'turn.capped': z.object({ session_id: z.string(), message_id: z.string() }),
  'session.erased': z.object({ session_id: z.string() }),
  /** A site is gone, and with it these conversations. */
  'tenant.removed': z.object({ tenant_id: z.string(), session_ids: z.array(z.string()) }),
  'prompt.executed': z.object({
    run_id: z.string(),
    prompt_id: z.string(),
    prompt_version: z.int(),
    user_id: z.string(),
    credits_used: z.number(),
    credits_remaining: z.number(),
    duration_ms: z.int(),
    locale: z.string(),
    request_id: z.string(),
  }),
  'prompt.failed': z.object({
    run_id: z.string(),
    prompt_id: z.string(),
    user_id: z.string(),
    code: z.string(),
    detail: z.string(),
    request_id: z.string(),
  }),
  'social.comment.received': z.object({
    ...Social,
    post_id: z.string(),
    comment_id: z.string(),
  }),
  'social.dm.received': z.object({ ...Social, message_id: z.string() }),
  'social.post.published': z.object({
    platform: z.string(),
    account_id: z.string(),
    post_id: z.string(),
    url: z.string().nullable(),
    published_at: z.string(),
  }),
  'subscription.renewed': z.object({
    plan: z.string(),
    period_start: z.string(),
    period_end: z.string(),
  }),
  'subscription.cancelled': z.object({ plan: z.string(), ends_at: z.string() }),
} as const

export type EventName = keyof typeof EventData
export type DataOf<Name extends EventName> = z.infer<(typeof EventData)[Name]>

/** An event with the fields that rules filter on. */
export interface EventEnvelope<Name extends EventName = EventName> {
  workspaceId: string
  tenantId?: string
  sector?: string
  source?: string
  /** The conversation that is told of, where the data does not name it: it is erased with it. */
  sessionId?: string
  data: DataOf<Name>
}

/** The handlers of an event; each runs in the transaction that emitted the event. */
export type EventHandlers<Name extends EventName> = readonly ((
  tx: Transaction,
  event: Name,
  envelope: EventEnvelope<Name>,
) => Promise<void>)[]

export type Reactions = { readonly [Name in EventName]: EventHandlers<Name> }

/**
 * Runs the handlers of an event one after the other, inside the transaction that caused the event:
 * either all of it is committed, or none. Throws what a handler throws.
 */
export async function emit<Name extends EventName>(
  tx: Transaction,
  event: Name,
  envelope: EventEnvelope<Name>,
): Promise<void> {
  const handlers: EventHandlers<Name> = tx.reactions[event]
  for (const handle of handlers) await handle(tx, event, envelope)
}
