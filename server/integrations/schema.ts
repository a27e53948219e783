import { z } from 'zod'
import { TenantId } from '../tenants/schema.ts'
import { text } from '../http/text-field.ts'
import { IsoTime, Moment, PageQuery } from '../http/pagination.ts'
import { type Channel, HookKind } from './channels/channel.ts'
import { CHANNELS } from './channels/registry.ts'
import { Secret } from './channels/setting-fields.ts'

const MAX_POST_LENGTH = 5_000

const place = { tenant_id: TenantId, name: text(1, 120).optional() }

function newIntegration(channel: Channel) {
  const settings = channel.settings.default({})
  return z.strictObject({ kind: z.literal(channel.kind), ...place, settings })
}

const { generic, ...providers } = CHANNELS
export const NewIntegration = z.discriminatedUnion('kind', [
  newIntegration(generic),
  ...Object.values(providers).map(newIntegration),
])
export type NewIntegration = z.infer<typeof NewIntegration>

/** The settings are validated against the schema of the integration's kind. */
export const IntegrationPatch = z.strictObject({
  name: text(1, 120).optional(),
  active: z.boolean().optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
})
export type IntegrationPatch = z.infer<typeof IntegrationPatch>

export const Integration = z.object({
  integration_id: z.string(),
  kind: HookKind,
  tenant_id: z.string(),
  name: z.string(),
  /** The settings that are not secret. */
  settings: z.record(z.string(), z.string()),
  /** The names of the stored secrets. */
  secrets_set: z.array(z.string()),
  /** The address that the provider calls. */
  url: z.string(),
  active: z.boolean(),
  /** Whether its payments change credits and plans. */
  billing: z.boolean(),
  created_at: IsoTime,
  updated_at: IsoTime,
})
export type Integration = z.infer<typeof Integration>

/** Shown once: the secret with which the provider authenticates its calls. */
export const CreatedIntegration = Integration.extend({
  secret: z.string(),
  /** The same secret in the form that libraries of Standard Webhooks expect. */
  standard_secret: z.string(),
})

const MAX_BILLED_WORKSPACES = 1_000

/** The operator's permission for payments to change credits and plans. */
export const BillingChange = z.strictObject({
  billing: z.boolean(),
  /** The workspaces that its payments may reach; the integration's own without a list. */
  workspaces: z.array(z.string().startsWith('ws_').max(64)).max(MAX_BILLED_WORKSPACES).optional(),
  /** The secret that Stripe issued for the address; a secret is generated without it. */
  signing_secret: Secret.optional(),
})
export type BillingChange = z.infer<typeof BillingChange>

/** The operator's view. The new secret of a billing integration is shown once, to the operator. */
export const BillingIntegration = Integration.extend({
  workspaces: z.array(z.string()),
  secret: z.string().optional(),
  /** The same secret in the form that libraries of Standard Webhooks expect. */
  standard_secret: z.string().optional(),
})

/** The state of an inbound event, for the workspace. Never holds the message's text. */
export const InboundEvent = z.object({
  event_id: z.string(),
  provider_event_id: z.string(),
  state: z.enum(['waiting', 'done', 'failed', 'cancelled']),
  attempts: z.int(),
  error: z.string().nullable(),
  received_at: IsoTime,
  ended_at: IsoTime.nullable(),
})
export type InboundEvent = z.infer<typeof InboundEvent>

/** The state of an outbound message. Its text is in the conversation. */
export const OutboundMessage = z.object({
  outbound_id: z.string(),
  session_id: z.string().nullable(),
  state: z.enum(['waiting', 'done', 'failed', 'cancelled']),
  attempts: z.int(),
  error: z.string().nullable(),
  created_at: IsoTime,
  /** Time of the next attempt. */
  next_at: IsoTime.nullable(),
  ended_at: IsoTime.nullable(),
})
export type OutboundMessage = z.infer<typeof OutboundMessage>

export const Received = z.object({ received: z.int() })

export const PostState = z.enum(['scheduled', 'queued', 'published', 'failed', 'cancelled'])

export const NewPost = z.strictObject({
  integration_id: z.string().max(64),
  text: text(1, MAX_POST_LENGTH),
  /** Fetched by the network itself, not by this service. */
  image_url: z
    .url({ protocol: /^https$/, error: 'must be a full https:// address' })
    .max(2_048)
    .optional(),
  publish_at: Moment.optional(),
})
export type NewPost = z.infer<typeof NewPost>

export const SocialPost = z.object({
  social_post_id: z.string(),
  integration_id: z.string(),
  text: z.string(),
  image_url: z.string().nullable(),
  state: PostState,
  publish_at: IsoTime,
  published_at: IsoTime.nullable(),
  /** The network's id of the post, and its public address. */
  post_id: z.string().nullable(),
  url: z.string().nullable(),
  error: z.string().nullable(),
  created_at: IsoTime,
})
export type SocialPost = z.infer<typeof SocialPost>

export const PostsQuery = PageQuery.extend({ integration_id: z.string().max(64).optional() })
