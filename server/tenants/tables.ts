interface TenantsTable {
  id: string
  workspace_id: string
  chatbot_id: string
  name: string
  sector: string
  locale: string
  time_zone: string
  handoff: string
  handoff_timeout_seconds: number
  allowed_origins: string
  theme: string
  greeting: string
  quick_replies: string
  answer_threshold: number
  office_hours: string
  slot_minutes: number
  forms: string
  channels: string
  privacy: string
  abuse: string
  /** 1 where conversations take files. */
  attachments: number
  /** JSON of `Assistant`. */
  assistant: string
  synonyms: string
  mcp: 'off' | 'public'
  daily_credit_cap: number | null
  /** 1 where the site chose `daily_credit_cap`; 0 where the default applies. */
  has_own_cap: number
  /** When somebody of the workspace first asked the bot in the test console. */
  tried_at: number | null
  identity_secret: string
  disabled_at: number | null
  knowledge_version: number
  created_at: number
  updated_at: number
}

/** A slug that a site has or had; only its first workspace may use it again. */
interface TenantSlugsTable {
  tenant_id: string
  owner_id: string
  claimed_at: number
}

/** A page on which the widget was seen. */
interface SeenOriginsTable {
  workspace_id: string
  tenant_id: string
  origin: string
  first_seen_at: number
  last_seen_at: number
}

/** An uploaded logo: of the workspace, because a site may not exist before its logo is chosen. */
interface LogosTable {
  id: string
  workspace_id: string
  media_type: string
  /** Base64, as one type of column for both databases. */
  data: string
  created_at: number
}

declare module '../storage/database.ts' {
  interface Tables {
    tenants: TenantsTable
    tenant_slugs: TenantSlugsTable
    seen_origins: SeenOriginsTable
    logos: LogosTable
  }
}
