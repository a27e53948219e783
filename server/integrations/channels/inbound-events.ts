import { z } from 'zod'

/** What somebody said to us in a messaging app. */
const SaidMessage = z.object({
  type: z.literal('message'),
  /** The provider's id of the person, where answers go. */
  contact: z.string(),
  /** Null for what is no text: a picture, a voice, a place. */
  text: z.string().nullable(),
  /** Whether they only opened the conversation, without a word of their own. */
  isOpening: z.boolean(),
  /** A language code, where the app tells it. */
  locale: z.string().nullable(),
  /** Where it is a message to a social account. */
  social: z
    .object({
      platform: z.string(),
      account_id: z.string(),
      author: z.string(),
      message_id: z.string(),
    })
    .nullable(),
})
export type SaidMessage = z.infer<typeof SaidMessage>

const LeftComment = z.object({
  type: z.literal('comment'),
  platform: z.string(),
  account_id: z.string(),
  post_id: z.string(),
  comment_id: z.string(),
  author: z.string(),
  text: z.string(),
})
/** An event of Stripe as it came; what it means is found out later. */
const StripeTold = z.object({ type: z.literal('stripe'), event: z.unknown() })
/** An event by the name that it has here. */
const GenericTold = z.object({ type: z.literal('generic'), event: z.string(), data: z.unknown() })

/** Something that a provider told us, in one form for all of them. */
export const Arrival = z.discriminatedUnion('type', [
  SaidMessage,
  LeftComment,
  StripeTold,
  GenericTold,
])
export type Arrival = z.infer<typeof Arrival>

/** An arrival with what makes it the only one, and what it has to wait for. */
export interface Arrived {
  /** The provider's id of it. */
  id: string
  /** Arrivals of a lane are processed in their order; nothing waits for one without. */
  lane: string | undefined
  arrival: Arrival
}
