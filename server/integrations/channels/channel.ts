import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { MessagingApp } from '../../tenants/schema.ts'
import type { Account, ApiCall, ChannelSettings } from './api-call.ts'
import type { ParsedEvent } from './inbound-events.ts'
import type { PaymentReport } from './payment-effects.ts'
import type { PostPublisher } from './post-publisher.ts'

/** The kinds of integrations: each is a key of `CHANNELS`. */
export const HookKind = z.enum([...MessagingApp.options, 'stripe', 'generic'])
export type HookKind = z.infer<typeof HookKind>

/** The secrets of an integration; `secret` was generated here, or chosen in its place. */
export type ChannelSecrets = Readonly<Record<string, string> & { secret: string }>

/** A call of a provider, byte for byte as it arrived. */
export interface SignedCall {
  headers: IncomingHttpHeaders
  body: Buffer
  now: number
}

/** The integration that a provider calls, and the call. */
export interface InboundCall extends SignedCall {
  secrets: ChannelSecrets
  settings: ChannelSettings
  tenantId: string
}

/** How a messaging app carries texts to a person. */
export interface Messaging {
  /** Upper bound of one message's size, as `sizeOf` measures it. */
  maxSize: number
  sizeOf(text: string): number
  /** The mark around bold text, for apps that show it. Other markup is removed. */
  bold?: string
  /** The call that sends a text. */
  send(account: Account, message: { to: string; text: string }): ApiCall
  /** Parses the provider's answer to the id of the message. */
  sentId: z.ZodType<string>
}

/** The settings of a kind. Each is optional, since it may also follow in a patch. */
type SettingsSchema = z.ZodObject<Record<string, z.ZodOptional<z.ZodType<string>>>, z.core.$strict>

interface ChannelBase {
  readonly settings: SettingsSchema
  /** The settings that are stored encrypted and never shown. */
  readonly secretFields: readonly string[]
  /** The setting in which a customer may choose `secret`; a secret is generated without it. */
  readonly customSecretField: string | undefined
  /** Whether a call proves knowledge of the secret. Compares in constant time. */
  verify(secrets: ChannelSecrets, call: SignedCall): boolean
  /**
   * Answers the GET request with which a provider checks the address. Throws 401 for another verify
   * token and 422 for a request that is incomplete. Absent where the provider sends POST alone.
   */
  readonly answerChallenge?: (query: Readonly<Record<string, unknown>>, secret: string) => string
  /**
   * Parses a verified body into events; events without a meaning here are left out. Throws ZodError
   * for a body of another shape, or 422 with the fields.
   */
  parse(body: unknown, call: InboundCall): ParsedEvent[]
  /** Whether its events report payments, so that the operator may let them change plans. */
  readonly carriesPayments: boolean
  /** Interprets an event of type `payment` that `parse` gave. Throws ZodError for another shape. */
  readonly interpretPayment?: (event: unknown) => PaymentReport
  /** Present where a workspace can publish posts through the channel. */
  readonly posts?: PostPublisher
}

/** A channel in which visitors have conversations. */
export interface MessagingChannel extends ChannelBase {
  readonly kind: MessagingApp
  readonly messaging: Messaging
  /** The secret field with the token that calls of the provider's API carry. */
  readonly tokenField: string
}

/** A channel that only reports events. */
export interface EventChannel extends ChannelBase {
  readonly kind: Exclude<HookKind, MessagingApp>
  readonly messaging?: undefined
  readonly tokenField?: undefined
}

/** One kind of integration: its settings, how its calls are verified, parsed and answered. */
export type Channel = MessagingChannel | EventChannel
