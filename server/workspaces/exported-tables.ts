/** A table of the export. Columns are named one by one, so that a new secret is never in it. */
export interface ExportedTable {
  name: string
  columns: readonly string[]
  /** The primary key, in whose order the rows are read. */
  key: readonly string[]
  /** The column with the workspace, if not `workspace_id`. */
  owner?: string
  /** Whether rows are found by their conversation: the table has no index by workspace. */
  isOfSession?: boolean
  hasCsv?: boolean
}

const ID = ['id'] as const
const TIMES = ['created_at', 'updated_at'] as const
const CONTACT = ['name', 'phone', 'email'] as const
const CONSENT = ['consent_text', 'consent_at'] as const

/** Everything of a workspace but secrets, caches, queues and what is derived from other tables. */
export const EXPORTED_TABLES: readonly ExportedTable[] = [
  {
    name: 'workspaces',
    columns: ['id', 'name', 'locale', 'plan', 'time_zone', 'created_at'],
    key: ID,
    owner: 'id',
  },
  { name: 'users', columns: ['id', 'email', 'name', 'role', 'created_at'], key: ID },
  {
    name: 'tenants',
    columns: [
      ...['id', 'chatbot_id', 'name', 'sector', 'locale', 'time_zone', 'handoff', 'theme'],
      ...['allowed_origins', 'greeting', 'quick_replies', 'answer_threshold', 'office_hours'],
      ...['slot_minutes', 'forms', 'channels', 'daily_credit_cap', 'privacy', 'abuse'],
      ...['disabled_at', ...TIMES],
    ],
    key: ID,
  },
  {
    name: 'documents',
    columns: [
      ...['id', 'tenant_id', 'parent_id', 'kind', 'title', 'url', 'file_name', 'content', 'state'],
      ...['error', 'bytes', 'synced_at', 'sync_hours', ...TIMES],
    ],
    key: ID,
  },
  {
    name: 'passages',
    columns: ['document_id', 'ordinal', 'tenant_id', 'heading', 'anchor', 'content'],
    key: ['document_id', 'ordinal'],
  },
  { name: 'knowledge_files', columns: ['document_id', 'content'], key: ['document_id'] },
  {
    name: 'unanswered_questions',
    columns: [
      ...['id', 'tenant_id', 'question', 'locale', 'asked', 'first_asked_at', 'last_asked_at'],
    ],
    key: ID,
  },
  {
    name: 'sessions',
    columns: [
      ...['id', 'tenant_id', 'visitor_id', 'user_id', 'state', 'channel', 'locale', 'page_url'],
      ...['message_count', 'assignee_id', 'waiting_since', 'snoozed_until', ...TIMES],
    ],
    key: ID,
  },
  {
    name: 'messages',
    columns: [
      ...['id', 'session_id', 'sequence', 'role', 'content', 'citations', 'author_id'],
      'created_at',
    ],
    key: ['session_id', 'sequence'],
    isOfSession: true,
  },
  {
    name: 'notes',
    columns: ['id', 'session_id', 'author_id', 'text', 'created_at'],
    key: ID,
    isOfSession: true,
  },
  { name: 'session_tags', columns: ['session_id', 'tag'], key: ['tag', 'session_id'] },
  {
    name: 'feedback',
    columns: ['session_id', 'message_id', 'tenant_id', 'rating', 'comment', 'created_at'],
    key: ['session_id', 'message_id'],
    isOfSession: true,
  },
  {
    name: 'identities',
    columns: ['visitor_id', 'tenant_id', 'subject', ...CONTACT, 'verified_at', 'updated_at'],
    key: ['visitor_id'],
  },
  {
    name: 'leads',
    columns: [
      ...['id', 'tenant_id', 'session_id', ...CONTACT, 'interest', 'sector', 'source'],
      ...['confidence', 'status', 'owner_id', 'notes', ...CONSENT, 'captured_at'],
    ],
    key: ID,
    hasCsv: true,
  },
  {
    name: 'appointments',
    columns: [
      ...['id', 'tenant_id', 'session_id', 'service', 'start_at', 'end_at', ...CONTACT, 'locale'],
      ...['source', 'state', ...CONSENT, ...TIMES],
    ],
    key: ID,
    hasCsv: true,
  },
  { name: 'canned_replies', columns: ['id', 'title', 'text', ...TIMES], key: ID },
  {
    name: 'prompt_versions',
    columns: ['prompt_id', 'version', 'definition', 'created_at'],
    key: ['prompt_id', 'version'],
  },
  { name: 'memory', columns: ['key', 'value', 'tenant_id', 'is_public', ...TIMES], key: ['key'] },
  {
    name: 'runs',
    columns: [
      ...['id', 'prompt_id', 'prompt_version', 'user_id', 'key_id', 'request_id', 'state'],
      ...['locale', 'model', 'credits_used', 'input_tokens', 'output_tokens', 'finish_reason'],
      ...['code', 'detail', 'created_at', 'ended_at'],
    ],
    key: ID,
  },
  {
    name: 'run_images',
    columns: ['id', 'run_id', 'media_type', 'data', 'created_at'],
    key: ID,
  },
  {
    name: 'rules',
    columns: ['id', 'name', 'event', 'url', 'conditions', 'disabled_at', ...TIMES],
    key: ID,
  },
  {
    name: 'subscriptions',
    columns: ['id', 'url', 'events', 'switched_off_at', 'disabled_at', ...TIMES],
    key: ID,
  },
  {
    name: 'integrations',
    columns: ['id', 'tenant_id', 'kind', 'name', 'settings', 'disabled_at', ...TIMES],
    key: ID,
  },
  {
    name: 'channel_contacts',
    columns: ['integration_id', 'contact', 'visitor_id', 'session_id', 'created_at'],
    key: ['integration_id', 'contact'],
  },
  {
    name: 'social_posts',
    columns: ['id', 'integration_id', 'text', 'image_url', 'publish_at', 'url'],
    key: ID,
  },
  {
    name: 'ledger',
    columns: [
      ...['sequence', 'id', 'type', 'amount', 'source', 'monthly_after', 'addons_after'],
      ...['held_after', 'run_id', 'session_id', 'reference', 'created_at'],
    ],
    key: ['sequence'],
    hasCsv: true,
  },
  {
    name: 'usage_days',
    columns: ['kind', 'day', 'subject', 'runs', 'credits', 'input_tokens', 'output_tokens'],
    key: ['kind', 'day', 'subject'],
  },
  {
    name: 'analytics_days',
    columns: [
      ...['day', 'tenant_id', 'sessions', 'visitor_messages', 'bot_messages'],
      ...['operator_messages', 'answered', 'unanswered', 'handoffs', 'leads', 'appointments'],
      ...['first_responses', 'first_response_ms', 'ratings', 'rating_sum', 'widget_events'],
    ],
    key: ['day', 'tenant_id'],
    hasCsv: true,
  },
  {
    name: 'audit',
    columns: [
      ...['id', 'actor_kind', 'actor_id', 'actor_name', 'actor_email', 'action', 'subject_type'],
      ...['subject_id', 'details', 'address', 'created_at'],
    ],
    key: ID,
  },
  {
    name: 'api_keys',
    columns: ['id', 'user_id', 'name', 'prefix', 'scopes', 'created_at', 'last_used_at'],
    key: ID,
  },
]
