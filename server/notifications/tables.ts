import type { NotificationKind } from './schema.ts'

interface NotificationPreferencesTable {
  user_id: string
  workspace_id: string
  email: string
  push: string
  updated_at: number
}

interface NotificationsTable {
  id: string
  workspace_id: string
  user_id: string
  kind: NotificationKind
  session_id: string | null
  tenant_id: string | null
  /** Numbers and ids of the kind; nothing personal. */
  data: string
  /** 1 for the mail of the hour. */
  is_digest: number
  created_at: number
  due_at: number
}

interface NotificationMailsTable {
  user_id: string
  session_id: string
  workspace_id: string
  sent_at: number
}

/** A secret that the installation generates for itself, encrypted for its name. */
interface InstallationSecretsTable {
  name: string
  content: string
  created_at: number
}

interface PushSubscriptionsTable {
  id: string
  workspace_id: string
  user_id: string
  endpoint_digest: string
  /** Endpoint and keys, encrypted for the id. */
  content: string
  created_at: number
}

interface PushMessagesTable {
  id: string
  workspace_id: string
  subscription_id: string
  session_id: string | null
  /** Encrypted for the id. */
  payload: string
  attempts: number
  created_at: number
  next_at: number
  lease_token: string | null
  lease_until: number | null
}

declare module '../storage/database.ts' {
  interface Tables {
    notification_preferences: NotificationPreferencesTable
    notifications: NotificationsTable
    notification_mails: NotificationMailsTable
    installation_secrets: InstallationSecretsTable
    push_subscriptions: PushSubscriptionsTable
    push_messages: PushMessagesTable
  }
}
