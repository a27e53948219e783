import { z } from 'zod'

/** A message of a person in a messaging app. */
const InboundMessage = z.object({
  type: z.literal('message'),
  /** The provider's id of the person, which answers are addressed to. */
  contact: z.string(),
  /** Null for a message that is not text: a picture, a voice message, a place. */
  text: z.string().nullable(),
  /** Whether the person only opened the conversation, as with Telegram's Start button. */
  isOpening: z.boolean(),
  /** A language code, where the app reports one. */
  locale: z.string().nullable(),
  /** Present for a message to a social account. */
  social: z
    .object({
      platform: z.string(),
      account_id: z.string(),
      author: z.string(),
      message_id: z.string(),
    })
    .nullable(),
})
export type InboundMessage = z.infer<typeof InboundMessage>

const SocialComment = z.object({
  type: z.literal('comment'),
  platform: z.string(),
  account_id: z.string(),
  post_id: z.string(),
  comment_id: z.string(),
  author: z.string(),
  text: z.string(),
})

/** A payment provider's event as it arrived; the channel's `interpretPayment` reads it later. */
const PaymentEvent = z.object({ type: z.literal('payment'), event: z.unknown() })

/** An event of this service's own catalogue, with data that fit it. */
const NamedEvent = z.object({
  type: z.literal('named'),
  event: z.string(),
  data: z.unknown(),
  /** Credits that a payment adds where the integration is allowed to bill. */
  addon: z.unknown(),
})
export type NamedEvent = z.infer<typeof NamedEvent>

/** A provider's event in one form for all channels: what the inbound queue stores. */
export const ChannelEvent = z.discriminatedUnion('type', [
  InboundMessage,
  SocialComment,
  PaymentEvent,
  NamedEvent,
])
export type ChannelEvent = z.infer<typeof ChannelEvent>

/** An event with its identity and its place in the order. */
export interface ParsedEvent {
  /**
   * A second identity of the call that brought the event. A call with a known one stores nothing,
   * whichever id it claims.
   */
  replayKey?: string | undefined
  /** The provider's id of the event; an integration processes each id once. */
  id: string
  /** Events with the same key are processed in order; undefined for an event that waits for none. */
  orderingKey: string | undefined
  event: ChannelEvent
}
