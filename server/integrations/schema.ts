import { z } from 'zod'
import { TenantId, text } from '../chat/schema.ts'
import { IsoTime, Moment, PageQuery } from '../http/pages.ts'

export const HookKind = z.enum(['whatsapp', 'telegram', 'meta', 'stripe', 'generic'])
export type HookKind = z.infer<typeof HookKind>

const MAX_POST_LENGTH = 5_000

/** Something that only the provider and we know: printable, without spaces. */
const Secret = z.string().regex(/^[\x21-\x7e]{8,1024}$/, 'must have 8 to 1024 visible characters')
const ProviderId = z.string().regex(/^[\w.:-]{1,100}$/, 'must be an id as the provider shows it')
const ApiBaseUrl = z.string().min(1).max(2_048).meta({
  description: "Where the provider's API is; its public address when left out.",
})
/** What the provider signs with, or sends along; made when it is left out. */
const OwnSecret = z.string().regex(/^[\w-]{16,256}$/, 'must have 16 to 256 letters, digits, _ or -')
/** The same where the provider only sends it back, beside a signature or over TLS. */
const OwnToken = z.string().regex(/^[\w-]{8,256}$/, 'must have 8 to 256 letters, digits, _ or -')

/** What each kind can be told. All of it can also come later, by a patch. */
export const SETTINGS = {
  whatsapp: z.strictObject({
    phone_number_id: ProviderId.optional(),
    access_token: Secret.optional(),
    app_secret: Secret.optional(),
    verify_token: OwnToken.optional(),
    api_base_url: ApiBaseUrl.optional(),
  }),
  telegram: z.strictObject({
    bot_token: z
      .string()
      .regex(/^\d{1,20}:[\w-]{10,100}$/, 'must be a token as @BotFather gives it')
      .optional(),
    secret_token: OwnToken.optional(),
    api_base_url: ApiBaseUrl.optional(),
  }),
  meta: z.strictObject({
    account_id: ProviderId.optional(),
    platform: z.enum(['facebook', 'instagram']).optional(),
    access_token: Secret.optional(),
    app_secret: Secret.optional(),
    verify_token: OwnToken.optional(),
    api_base_url: ApiBaseUrl.optional(),
  }),
  stripe: z.strictObject({ signing_secret: Secret.optional() }),
  generic: z.strictObject({ secret: OwnSecret.optional() }),
} as const

const place = { tenant_id: TenantId, name: text(1, 120).optional() }

export const NewIntegration = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('generic'), ...place, settings: SETTINGS.generic.default({}) }),
  z.strictObject({
    kind: z.literal('whatsapp'),
    ...place,
    settings: SETTINGS.whatsapp.default({}),
  }),
  z.strictObject({
    kind: z.literal('telegram'),
    ...place,
    settings: SETTINGS.telegram.default({}),
  }),
  z.strictObject({ kind: z.literal('meta'), ...place, settings: SETTINGS.meta.default({}) }),
  z.strictObject({ kind: z.literal('stripe'), ...place, settings: SETTINGS.stripe.default({}) }),
])
export type NewIntegration = z.infer<typeof NewIntegration>

/** The settings are judged by the kind that the integration has. */
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
  /** What may be read again. */
  settings: z.record(z.string(), z.string()),
  /** The names of the settings that are kept sealed. */
  secrets_set: z.array(z.string()),
  /** Where the provider calls. */
  url: z.string(),
  active: z.boolean(),
  /** Whether its payments change credits and plans. */
  billing: z.boolean(),
  created_at: IsoTime,
  updated_at: IsoTime,
})
export type Integration = z.infer<typeof Integration>

/** Shown once: with what the provider proves that it is the one who calls. */
export const CreatedIntegration = Integration.extend({
  secret: z.string(),
  /** The same as the libraries of Standard Webhooks take it. */
  standard_secret: z.string(),
})

/** The operator's word on whose payments count. */
export const BillingChange = z.strictObject({ billing: z.boolean() })

/** What came in, for the eyes of whoever set the integration up. Never what was said. */
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

/** What goes out to a messaging app. What it says is in the conversation. */
export const OutboundMessage = z.object({
  outbound_id: z.string(),
  session_id: z.string().nullable(),
  state: z.enum(['waiting', 'done', 'failed', 'cancelled']),
  attempts: z.int(),
  error: z.string().nullable(),
  created_at: IsoTime,
  /** When it is tried again. */
  next_at: IsoTime.nullable(),
  ended_at: IsoTime.nullable(),
})
export type OutboundMessage = z.infer<typeof OutboundMessage>

export const Received = z.object({ received: z.int() })

export const PostState = z.enum(['scheduled', 'queued', 'published', 'failed', 'cancelled'])

export const NewPost = z.strictObject({
  integration_id: z.string().max(64),
  text: text(1, MAX_POST_LENGTH),
  /** Fetched by the network itself, not by us. */
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
  /** The network's id of it, and where it can be seen. */
  post_id: z.string().nullable(),
  url: z.string().nullable(),
  error: z.string().nullable(),
  created_at: IsoTime,
})
export type SocialPost = z.infer<typeof SocialPost>

export const PostsQuery = PageQuery.extend({ integration_id: z.string().max(64).optional() })
