import { z } from 'zod'

/**
 * Kinds of notifications: a new contact, a visitor who asks for a person, a visitor whom nobody
 * answers, credits that run out, and a webhook that was disabled.
 */
export const KINDS = ['lead', 'handoff', 'waiting', 'credits', 'webhooks'] as const
export type NotificationKind = (typeof KINDS)[number]

const Frequency = z
  .enum(['now', 'digest', 'never'])
  .describe('`now`: at once; `digest`: in one mail an hour')

/** A member's preferences, by kind. */
export const NotificationPreferences = z.strictObject({
  email: z.strictObject({
    lead: Frequency,
    handoff: Frequency,
    waiting: Frequency,
    credits: Frequency,
    webhooks: Frequency,
  }),
  /** For the devices that the member has subscribed. */
  push: z.strictObject({
    lead: z.boolean(),
    handoff: z.boolean(),
    waiting: z.boolean(),
    credits: z.boolean(),
    webhooks: z.boolean(),
  }),
})
export type NotificationPreferences = z.infer<typeof NotificationPreferences>
