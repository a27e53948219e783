interface TenantsTable {
  id: string
  workspace_id: string
  chatbot_id: string
  name: string
  sector: string
  locale: string
  time_zone: string
  handoff: string
  allowed_origins: string
  theme: string
  greeting: string
  quick_replies: string
  answer_threshold: number
  office_hours: string
  slot_minutes: number
  forms: string
  channels: string
  daily_credit_cap: number | null
  identity_secret: string
  disabled_at: number | null
  knowledge_version: number
  created_at: number
  updated_at: number
}

interface SessionsTable {
  id: string
  workspace_id: string
  tenant_id: string
  visitor_id: string | null
  user_id: string | null
  state: 'bot' | 'waiting' | 'operator' | 'closed'
  channel: string
  locale: string
  page_url: string | null
  message_count: number
  created_at: number
  updated_at: number
}

interface MessagesTable {
  id: string
  workspace_id: string
  session_id: string
  sequence: number
  role: 'visitor' | 'assistant' | 'operator' | 'system'
  content: string
  citations: string | null
  created_at: number
}

declare module '../storage/database.ts' {
  interface Tables {
    tenants: TenantsTable
    sessions: SessionsTable
    messages: MessagesTable
  }
}

export type { MessagesTable, SessionsTable, TenantsTable }
