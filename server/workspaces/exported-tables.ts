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
  /** Rows of one query, where rows are large; 500 otherwise. */
  rowsAtOnce?: number
}

/** The columns of a table, separated by spaces, and what it is besides. */
function table(
  name: string,
  columns: string,
  { key = 'id', ...more }: Partial<Omit<ExportedTable, 'key'>> & { key?: string } = {},
): ExportedTable {
  return { name, columns: columns.split(/\s+/), key: key.split(' '), ...more }
}

/** Everything of a workspace but secrets, caches, queues and what is derived from other tables. */
export const EXPORTED_TABLES: readonly ExportedTable[] = [
  table('workspaces', 'id name locale plan time_zone created_at', { owner: 'id' }),
  table('users', 'id email name role created_at'),
  table(
    'tenants',
    `id chatbot_id name sector locale time_zone handoff theme allowed_origins greeting
      quick_replies answer_threshold office_hours slot_minutes forms channels daily_credit_cap
      privacy abuse assistant disabled_at created_at updated_at`,
  ),
  table('logos', 'id media_type data created_at', { rowsAtOnce: 1 }),
  table(
    'documents',
    `id tenant_id parent_id kind title url file_name content state error bytes synced_at
      sync_hours created_at updated_at`,
    { rowsAtOnce: 20 },
  ),
  table('passages', 'document_id ordinal tenant_id heading anchor content', {
    key: 'document_id ordinal',
  }),
  table('test_questions', 'id tenant_id question expected created_at'),
  table('test_runs', 'id tenant_id user_id key_id state error created_at ended_at'),
  table('test_results', 'run_id question_id outcome is_found answer confidence credits', {
    key: 'run_id question_id',
  }),
  table('unanswered_questions', 'id tenant_id question locale asked first_asked_at last_asked_at'),
  table(
    'sessions',
    `id tenant_id visitor_id user_id state channel locale page_url message_count assignee_id
      waiting_since snoozed_until created_at updated_at`,
  ),
  table('messages', 'id session_id sequence role content citations author_id created_at', {
    key: 'session_id sequence',
    isOfSession: true,
  }),
  table('notes', 'id session_id author_id text created_at', { isOfSession: true }),
  table('session_tags', 'session_id tag', { key: 'tag session_id' }),
  table('feedback', 'session_id message_id tenant_id rating comment created_at', {
    key: 'session_id message_id',
    isOfSession: true,
  }),
  table('identities', 'visitor_id tenant_id subject name phone email verified_at updated_at', {
    key: 'visitor_id',
  }),
  table(
    'leads',
    `id tenant_id session_id name phone email interest sector source confidence status
      owner_id notes consent_text consent_at captured_at`,
    { hasCsv: true },
  ),
  table(
    'appointments',
    `id tenant_id session_id service start_at end_at name phone email locale source state
      consent_text consent_at created_at updated_at`,
    { hasCsv: true },
  ),
  table('actions', 'id tenant_id name definition disabled_at created_at updated_at'),
  table(
    'action_calls',
    `id tenant_id action_id session_id message_id state is_test inputs attempts error shown
      created_at ended_at`,
  ),
  table('canned_replies', 'id title text created_at updated_at'),
  table('prompt_versions', 'prompt_id version definition created_at', {
    key: 'prompt_id version',
    rowsAtOnce: 20,
  }),
  table('memory', 'key value tenant_id is_public created_at updated_at', { key: 'key' }),
  table(
    'runs',
    `id prompt_id prompt_version user_id key_id request_id state locale model credits_used
      input_tokens output_tokens finish_reason code detail inputs created_at ended_at`,
    { rowsAtOnce: 100 },
  ),
  table('run_images', 'id run_id media_type data created_at', { rowsAtOnce: 1 }),
  table('rules', 'id name event url conditions disabled_at created_at updated_at'),
  table('subscriptions', 'id url events switched_off_at disabled_at created_at updated_at'),
  table('integrations', 'id tenant_id kind name settings disabled_at created_at updated_at'),
  table('channel_contacts', 'integration_id contact visitor_id session_id created_at', {
    key: 'integration_id contact',
  }),
  table('social_posts', 'id integration_id text image_url publish_at url'),
  table(
    'ledger',
    `sequence id type amount source monthly_after addons_after held_after run_id session_id
      reference created_at`,
    { key: 'sequence', hasCsv: true },
  ),
  table('usage_days', 'kind day subject runs credits input_tokens output_tokens', {
    key: 'kind day subject',
  }),
  table(
    'analytics_days',
    `day tenant_id sessions visitor_messages bot_messages operator_messages answered
      unanswered handoffs leads appointments first_responses first_response_ms ratings
      rating_sum widget_events`,
    { key: 'day tenant_id', hasCsv: true },
  ),
  table(
    'audit',
    `id actor_kind actor_id actor_name actor_email action subject_type subject_id details
      address created_at`,
  ),
  table('api_keys', 'id user_id name prefix scopes created_at last_used_at'),
]
