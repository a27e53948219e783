import type { HookKind } from './channels/channel.ts'

/** Columns of a leased queue; see `jobs/lease-queue.ts`. */
interface QueueColumns {
  id: string
  workspace_id: string
  integration_id: string
  /** The ordering key: jobs of an integration with the same one run one at a time, in order. */
  lane: string
  /** Orders rows of the same moment. */
  position: number
  state: 'waiting' | 'done' | 'failed' | 'cancelled'
  /** How often the job was claimed. */
  attempts: number
  next_at: number
  lease_token: string | null
  lease_until: number | null
  /** Why the last attempt failed. */
  error: string | null
  created_at: number
  ended_at: number | null
}

interface IntegrationsTable {
  id: string
  workspace_id: string
  tenant_id: string
  kind: HookKind
  name: string
  /** JSON: what everyone who manages the workspace may read. */
  settings: string
  /** JSON with the rest, sealed for the row's id. */
  secrets: string
  /** When the operator of the installation allowed its payments to change credits and plans. */
  billing_at: number | null
  /** JSON: the workspaces that its payments may reach; null for its own alone. */
  billing_workspaces: string | null
  disabled_at: number | null
  created_at: number
  updated_at: number
}

/** A person on the other side of a messaging app. */
interface ChannelContactsTable {
  integration_id: string
  /** The provider's id of the person. */
  contact: string
  workspace_id: string
  visitor_id: string
  /** Their latest conversation. */
  session_id: string | null
  created_at: number
}

/** Inbound events, each stored once. */
interface InboundEventsTable extends QueueColumns {
  provider_event_id: string
  /** JSON, until it is processed. */
  payload: string | null
  /** The message that it became. */
  session_id: string | null
  message_sequence: number | null
}

/** The outbound queue of messaging apps; the ordering key is the recipient. */
interface ChannelMessagesTable extends QueueColumns {
  session_id: string | null
  /** Until it is sent. */
  text: string | null
  provider_message_id: string | null
}

interface SocialPostsTable extends QueueColumns {
  text: string
  image_url: string | null
  publish_at: number
  /** Instagram's media container, which exists before the post does. */
  provider_draft_id: string | null
  /** When the network was asked to publish it: it may have, if its answer is not here. */
  asked_at: number | null
  provider_post_id: string | null
  url: string | null
}

declare module '../storage/database.ts' {
  interface Tables {
    integrations: IntegrationsTable
    channel_contacts: ChannelContactsTable
    inbound_events: InboundEventsTable
    channel_messages: ChannelMessagesTable
    social_posts: SocialPostsTable
  }
}

export type { QueueColumns }
