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

declare module '../storage/database.ts' {
  interface Tables {
    notification_preferences: NotificationPreferencesTable
    notifications: NotificationsTable
    notification_mails: NotificationMailsTable
  }
}
