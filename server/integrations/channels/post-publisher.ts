import type { z } from 'zod'
import type { Account, ApiCall, ChannelSettings } from './api-call.ts'

/** A post that is due. */
export interface PendingPost {
  text: string
  imageUrl: string | null
  /** The provider's id of the draft that an earlier attempt created. */
  draftId: string | null
}

/** The steps of publishing one post: API calls, and saving the draft's id. */
export interface PublishSteps {
  /** Calls the provider's API; may be repeated by a later attempt. */
  call<Output>(call: ApiCall, answer: z.ZodType<Output>): Promise<Output>
  /** Calls the provider's API for the one step that must never happen twice. */
  callOnce<Output>(call: ApiCall, answer: z.ZodType<Output>): Promise<Output>
  /** Stores the id of a draft for later attempts. */
  saveDraft(id: string): Promise<void>
}

/** Publishes posts of a workspace on a social network. */
export interface PostPublisher {
  /** The secret field with the token that publishing requires. */
  readonly tokenField: string
  /** The setting with the account's id, which publishing requires. */
  readonly accountField: string
  /** The network's name in events. */
  platform(settings: ChannelSettings): string
  /** Whether the network refuses posts without a picture. */
  requiresImage(settings: ChannelSettings): boolean
  /** Publishes and returns the network's id of the post. Throws `RetryableError` and `PermanentError`. */
  publish(account: Account, post: PendingPost, steps: PublishSteps): Promise<string>
  /** The post's public address; null where the network knows none. */
  findLink(account: Account, postId: string, steps: PublishSteps): Promise<string | null>
}
