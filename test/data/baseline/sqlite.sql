create table workspaces (
    id text primary key,
    name text not null,
    locale text not null,
    plan text not null,
    time_zone text not null,
    created_at bigint not null
  );
create table users (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    email text not null unique,
    name text not null,
    role text not null,
    password_hash text not null,
    created_at bigint not null
  );
create index users_workspace on users (workspace_id);
create index users_list on users (workspace_id, created_at, id);
create table families (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    created_at bigint not null,
    expires_at bigint not null,
    ended_at bigint
  );
create index families_user on families (user_id);
create table refresh_tokens (
    digest text primary key,
    family_id text not null references families (id) on delete cascade,
    created_at bigint not null,
    expires_at bigint not null,
    spent_at bigint
  );
create index refresh_tokens_family on refresh_tokens (family_id);
create table api_keys (
    id text primary key,
    public_id text not null unique,
    workspace_id text not null references workspaces (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    name text not null,
    prefix text not null,
    secret_hash text not null,
    scopes text,
    ip_allowlist text,
    created_at bigint not null,
    expires_at bigint,
    last_used_at bigint
  );
create index api_keys_workspace on api_keys (workspace_id, created_at, id);
create table idempotency (
    caller text not null,
    route text not null,
    request_id text not null,
    workspace_id text not null,
    digest text not null,
    state text not null,
    answer text,
    created_at bigint not null,
    lease_until bigint not null,
    primary key (caller, route, request_id)
  );
create index idempotency_age on idempotency (created_at);
create table mails (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    recipient text not null,
    content text,
    state text not null,
    attempts bigint not null,
    error text,
    created_at bigint not null,
    next_at bigint not null,
    ended_at bigint,
    lease_token text,
    lease_until bigint
  );
create index mails_due on mails (next_at) where state = 'waiting';
create index mails_ended on mails (ended_at) where state <> 'waiting';
create index mails_workspace on mails (workspace_id);
create table login_failures (
    user_id text primary key references users (id) on delete cascade,
    failures bigint not null
  );
create table password_resets (
    digest text primary key,
    user_id text references users (id) on delete cascade,
    padding text,
    created_at bigint not null,
    expires_at bigint not null
  );
create index password_resets_user on password_resets (user_id);
create index password_resets_end on password_resets (expires_at);
create table invitations (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    email text not null,
    name text not null,
    role text not null,
    digest text not null unique,
    created_at bigint not null,
    expires_at bigint not null
  );
create unique index invitations_email on invitations (workspace_id, email);
create index invitations_end on invitations (expires_at);
create table audit (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    actor_kind text not null,
    actor_id text,
    actor_name text,
    actor_email text,
    action text not null,
    subject_type text,
    subject_id text,
    details text,
    address text,
    created_at bigint not null
  );
create index audit_list on audit (workspace_id, created_at, id);
create index audit_age on audit (created_at);
create table model_choices (
    workspace_id text primary key references workspaces (id) on delete cascade,
    choices text not null,
    updated_at bigint not null
  );
create table balances (
    workspace_id text primary key references workspaces (id) on delete cascade,
    month bigint not null,
    monthly_limit bigint not null,
    monthly bigint not null check (monthly >= 0),
    addons bigint not null check (addons >= 0),
    held bigint not null check (held >= 0),
    entries bigint not null,
    low_since bigint,
    quota_month bigint,
    used bigint not null default 0,
    day text not null default '',
    day_from bigint not null default 0,
    day_until bigint not null default 0,
    ends_at bigint,
    check (monthly + addons >= held)
  );
create index balances_month on balances (month, workspace_id);
create table ledger (
    id text not null,
    workspace_id text not null references workspaces (id) on delete cascade,
    type text not null,
    amount bigint not null,
    source text not null,
    monthly_after bigint not null,
    addons_after bigint not null,
    held_after bigint not null,
    run_id text,
    session_id text,
    reference text,
    created_at bigint not null,
    sequence bigint not null,
    primary key (workspace_id, sequence)
  ) without rowid;
create unique index ledger_addon on ledger (workspace_id, reference) where type = 'addon';
create index ledger_time on ledger (workspace_id, created_at, sequence);
create index ledger_rare on ledger (workspace_id, sequence)
    where type in ('grant', 'addon', 'expire', 'adjust');
create table holds (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    amount bigint not null,
    from_month bigint not null,
    session_id text,
    created_at bigint not null,
    lease_until bigint not null,
    tenant_id text,
    day text
  ) without rowid;
create index holds_tenant on holds (tenant_id, day) where tenant_id is not null;
create table usage_days (
    workspace_id text not null references workspaces (id) on delete cascade,
    kind text not null,
    day text not null,
    subject text not null,
    runs bigint not null,
    credits bigint not null,
    input_tokens bigint not null,
    output_tokens bigint not null,
    primary key (workspace_id, kind, day, subject)
  ) without rowid;
create table tenants (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    chatbot_id text not null unique,
    name text not null,
    sector text not null,
    locale text not null,
    time_zone text not null,
    handoff text not null,
    allowed_origins text not null,
    theme text not null,
    greeting text not null,
    quick_replies text not null,
    answer_threshold double precision not null,
    office_hours text not null,
    slot_minutes bigint not null,
    forms text not null,
    channels text not null,
    daily_credit_cap bigint,
    identity_secret text not null,
    disabled_at bigint,
    knowledge_version bigint not null,
    created_at bigint not null,
    updated_at bigint not null,
    privacy text not null default '{}',
    abuse text not null default '{}'
  );
create index tenants_workspace on tenants (workspace_id, created_at, id);
create table tenant_slugs (
    tenant_id text primary key,
    owner_id text not null,
    claimed_at bigint not null
  );
create table sessions (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    visitor_id text,
    user_id text,
    state text not null,
    channel text not null,
    locale text not null,
    page_url text,
    message_count bigint not null,
    created_at bigint not null,
    updated_at bigint not null,
    event_count bigint not null default 0,
    assignee_id text references users (id) on delete set null,
    unread bigint not null default 0,
    operator_read bigint not null default 0,
    visitor_read bigint not null default 0,
    low_answers bigint not null default 0,
    last_confidence double precision,
    waiting_since bigint
  );
create index sessions_visitor on sessions (visitor_id, created_at, id)
    where visitor_id is not null;
create index sessions_user on sessions (user_id, created_at, id) where user_id is not null;
create index sessions_inbox on sessions (workspace_id, updated_at, id);
create index sessions_assignee on sessions (assignee_id) where assignee_id is not null;
create index sessions_tenant_age on sessions (tenant_id, updated_at);
create index sessions_attended on sessions (visitor_id)
    where state in ('waiting', 'operator');
create table messages (
    id text not null,
    workspace_id text not null references workspaces (id) on delete cascade,
    session_id text not null references sessions (id) on delete cascade,
    sequence bigint not null,
    role text not null,
    content text not null,
    citations text,
    created_at bigint not null,
    author_id text,
    primary key (session_id, sequence)
  );
create table workspace_feeds (
    workspace_id text primary key references workspaces (id) on delete cascade,
    position bigint not null
  );
create table session_events (
    workspace_id text not null references workspaces (id) on delete cascade,
    position bigint not null,
    session_id text references sessions (id) on delete set null,
    sequence bigint not null,
    kind text not null,
    message_sequence bigint,
    note_id text,
    data text not null,
    created_at bigint not null,
    primary key (workspace_id, position)
  );
create unique index session_events_session on session_events (session_id, sequence)
    where session_id is not null;
create index session_events_age on session_events (created_at);
create table notes (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    session_id text not null references sessions (id) on delete cascade,
    author_id text references users (id) on delete set null,
    text text not null,
    created_at bigint not null
  );
create index notes_session on notes (session_id, created_at, id);
create table conversation_summaries (
    session_id text primary key references sessions (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    through bigint not null,
    text text not null,
    updated_at bigint not null
  );
create table feedback (
    session_id text not null references sessions (id) on delete cascade,
    message_id text not null,
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    rating bigint not null,
    comment text,
    created_at bigint not null,
    primary key (session_id, message_id)
  );
create table transcripts (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    session_id text not null references sessions (id) on delete cascade,
    recipient text not null,
    created_at bigint not null
  );
create index transcripts_session on transcripts (session_id, created_at);
create index transcripts_recipient on transcripts (recipient, created_at);
create index transcripts_age on transcripts (created_at);
create table tenant_spent (
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    day text not null,
    used bigint not null,
    primary key (workspace_id, tenant_id, day)
  );
create table identities (
    visitor_id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    subject text,
    name text,
    email text,
    phone text,
    verified_at bigint,
    updated_at bigint not null
  );
create index identities_tenant on identities (tenant_id);
create table spent_challenges (
    id text primary key,
    ends_at bigint not null
  );
create index spent_challenges_age on spent_challenges (ends_at);
create table mail_counts (
    recipient text primary key,
    sent bigint not null,
    ends_at bigint not null
  );
create index mail_counts_age on mail_counts (ends_at);
create table leads (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    session_id text not null unique references sessions (id) on delete cascade,
    chatbot_id text not null,
    sector text not null,
    name text not null,
    phone text not null,
    email text not null,
    interest text not null,
    source text not null,
    confidence double precision not null,
    consent_text text,
    consent_at bigint,
    captured_at bigint not null
  );
create index leads_workspace on leads (workspace_id, captured_at, id);
create table lead_drafts (
    session_id text primary key references sessions (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    name text,
    phone text,
    email text,
    confidence double precision not null,
    updated_at bigint not null
  );
create table lead_codes (
    session_id text primary key references sessions (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    digest text not null,
    tries bigint not null,
    expires_at bigint not null
  );
create table documents (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    kind text not null,
    title text not null,
    url text,
    content text not null,
    state text not null,
    error text,
    passage_count bigint not null,
    created_at bigint not null,
    updated_at bigint not null,
    parent_id text references documents (id) on delete cascade,
    file_name text,
    bytes bigint not null default 0,
    synced_at bigint,
    sync_hours bigint,
    fingerprint text,
    etag text,
    last_modified text
  );
create index documents_tenant on documents (tenant_id, created_at, id);
create index documents_count on documents (workspace_id, tenant_id, passage_count);
create index documents_parent on documents (parent_id, state, passage_count, bytes);
create index documents_top on documents (tenant_id, created_at, id) where parent_id is null;
create index documents_page on documents (parent_id, created_at, id);
create table passages (
    document_id text not null references documents (id) on delete cascade,
    ordinal bigint not null,
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    heading text not null,
    anchor text,
    content text not null,
    primary key (document_id, ordinal)
  );
create index passages_tenant on passages (tenant_id, document_id, ordinal);
create table knowledge_jobs (
    document_id text primary key references documents (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    lane text not null,
    due_at bigint not null,
    attempt bigint not null,
    started_at bigint,
    lease_token text,
    lease_until bigint
  );
create index knowledge_jobs_due on knowledge_jobs (lane, due_at);
create index knowledge_jobs_workspace on knowledge_jobs (workspace_id, lease_until);
create table knowledge_files (
    document_id text primary key references documents (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    content text not null
  );
create table unanswered_questions (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    fingerprint text not null,
    question text not null,
    locale text not null,
    asked bigint not null,
    first_asked_at bigint not null,
    last_asked_at bigint not null
  );
create unique index unanswered_questions_key on unanswered_questions (tenant_id, fingerprint);
create index unanswered_questions_asked on unanswered_questions (tenant_id, asked, id);
create index unanswered_questions_age on unanswered_questions (last_asked_at);
create table deliveries (
    id text primary key,
    workspace_id text not null,
    family text not null,
    endpoint_id text not null,
    event text not null,
    body text not null,
    tier bigint not null,
    attempt bigint not null,
    attempts bigint not null,
    next_at bigint,
    held_at bigint,
    lease_token text,
    lease_until bigint,
    created_at bigint not null,
    session_id text
  );
create index deliveries_held on deliveries (endpoint_id, held_at, family)
    where held_at is not null;
create index deliveries_endpoint on deliveries (endpoint_id, created_at, id);
create index deliveries_first on deliveries (endpoint_id, next_at)
    where tier = 0 and next_at is not null;
create index deliveries_again on deliveries (endpoint_id, next_at)
    where tier = 1 and next_at is not null;
create index deliveries_retry on deliveries (next_at, endpoint_id)
    where tier = 1 and next_at is not null;
create index deliveries_session on deliveries (session_id)
    where session_id is not null and (tier = 1 or held_at is not null);
create table delivery_attempts (
    delivery_id text not null,
    number bigint not null,
    workspace_id text not null,
    started_at bigint not null,
    status bigint,
    error text,
    latency_ms bigint,
    answer text,
    primary key (delivery_id, number)
  );
create index delivery_attempts_age on delivery_attempts (started_at);
create table finished_deliveries (
    id text primary key,
    workspace_id text not null,
    family text not null,
    endpoint_id text not null,
    event text not null,
    state text not null,
    attempts bigint not null,
    created_at bigint not null,
    finished_at bigint not null,
    session_id text,
    attempted_at bigint,
    status bigint,
    latency_ms bigint,
    answer text
  );
create index finished_deliveries_endpoint on finished_deliveries (endpoint_id, created_at, id);
create index finished_deliveries_age on finished_deliveries (finished_at);
create index finished_deliveries_session on finished_deliveries (session_id)
    where session_id is not null;
create table dead_letters (
    id text primary key,
    workspace_id text not null,
    family text not null,
    endpoint_id text not null,
    event text not null,
    body text not null,
    attempts bigint not null,
    created_at bigint not null,
    died_at bigint not null,
    expires_at bigint not null,
    session_id text
  );
create index dead_letters_workspace on dead_letters (workspace_id, family, died_at, id);
create index dead_letters_endpoint on dead_letters (endpoint_id, created_at, id);
create index dead_letters_age on dead_letters (expires_at);
create index dead_letters_session on dead_letters (session_id) where session_id is not null;
create index dead_letters_died on dead_letters (endpoint_id, died_at);
create table delivery_recoveries (
    id text primary key,
    endpoint_id text not null,
    since bigint not null,
    until bigint not null,
    retries bigint not null,
    sent bigint not null,
    created_at bigint not null,
    finished_at bigint
  );
create index delivery_recoveries_open on delivery_recoveries (created_at)
    where finished_at is null;
create table rules (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    name text not null,
    event text not null,
    url text not null,
    secret text not null,
    conditions text not null,
    disabled_at bigint,
    deleted_at bigint,
    created_at bigint not null,
    updated_at bigint not null,
    previous_secrets text not null default '[]'
  );
create index rules_workspace on rules (workspace_id, created_at, id);
create index rules_event on rules (workspace_id, event);
create table subscriptions (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    url text not null,
    events text not null,
    secret text not null,
    previous_secrets text not null,
    switched_off_at bigint,
    disabled_at bigint,
    disabled_reason text,
    pings bigint not null,
    ping_status bigint,
    ping_error text,
    ping_latency_ms bigint,
    pinged_at bigint,
    deleted_at bigint,
    created_at bigint not null,
    updated_at bigint not null
  );
create index subscriptions_workspace on subscriptions (workspace_id, created_at, id);
create table prompts (
    workspace_id text not null references workspaces (id) on delete cascade,
    prompt_id text not null,
    version bigint not null,
    created_at bigint not null,
    updated_at bigint not null,
    deleted_at bigint,
    primary key (workspace_id, prompt_id)
  );
create table prompt_versions (
    workspace_id text not null,
    prompt_id text not null,
    version bigint not null,
    definition text not null,
    created_at bigint not null,
    primary key (workspace_id, prompt_id, version),
    foreign key (workspace_id, prompt_id) references prompts (workspace_id, prompt_id)
      on delete cascade
  );
create table memory (
    workspace_id text not null references workspaces (id) on delete cascade,
    key text not null,
    value text not null,
    tenant_id text references tenants (id) on delete cascade,
    is_public bigint not null default 0,
    created_at bigint not null,
    updated_at bigint not null,
    primary key (workspace_id, key)
  );
create index memory_tenant on memory (tenant_id);
create table runs (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    prompt_id text not null,
    prompt_version bigint not null,
    user_id text not null,
    key_id text,
    request_id text not null,
    state text not null,
    locale text not null,
    model text,
    credits_used bigint,
    input_tokens bigint,
    output_tokens bigint,
    estimated_at bigint,
    finish_reason text,
    code text,
    detail text,
    created_at bigint not null,
    ended_at bigint
  );
create index runs_workspace on runs (workspace_id, created_at, id);
create table run_images (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    run_id text not null references runs (id) on delete cascade,
    media_type text not null,
    data text not null,
    created_at bigint not null,
    expires_at bigint not null
  );
create index run_images_run on run_images (run_id);
create index run_images_age on run_images (expires_at);
create table canned_replies (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    title text not null,
    text text not null,
    created_at bigint not null,
    updated_at bigint not null
  );
create index canned_replies_workspace on canned_replies (workspace_id, created_at, id);
create table appointments (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    session_id text references sessions (id) on delete set null,
    chatbot_id text not null,
    service text,
    start_at bigint not null,
    end_at bigint not null,
    name text not null,
    phone text,
    email text,
    locale text not null,
    source text not null,
    state text not null,
    changes bigint not null,
    created_at bigint not null,
    updated_at bigint not null,
    consent_text text,
    consent_at bigint
  );
create index appointments_workspace on appointments (workspace_id, created_at, id);
create index appointments_calendar on appointments (tenant_id, start_at)
    where state = 'booked';
create index appointments_session on appointments (session_id);
create table analytics_days (
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    day text not null,
    sessions bigint not null,
    visitor_messages bigint not null,
    bot_messages bigint not null,
    operator_messages bigint not null,
    answered bigint not null,
    unanswered bigint not null,
    handoffs bigint not null,
    leads bigint not null,
    appointments bigint not null,
    talks bigint not null,
    longer_talks bigint not null,
    first_responses bigint not null,
    first_response_ms bigint not null,
    ratings bigint not null,
    rating_sum bigint not null,
    satisfied bigint not null,
    capped bigint not null,
    widget_events bigint not null,
    primary key (workspace_id, day, tenant_id)
  );
create table analytics_subjects (
    workspace_id text not null references workspaces (id) on delete cascade,
    kind text not null,
    day text not null,
    tenant_id text not null references tenants (id) on delete cascade,
    subject text not null,
    count bigint not null,
    amount double precision not null,
    primary key (workspace_id, kind, day, tenant_id, subject)
  );
create table analytics_waits (
    session_id text primary key references sessions (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    since bigint not null
  );
create table integrations (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    kind text not null,
    name text not null,
    settings text not null,
    secrets text not null,
    billing_at bigint,
    billing_workspaces text,
    disabled_at bigint,
    created_at bigint not null,
    updated_at bigint not null
  );
create index integrations_workspace on integrations (workspace_id, created_at, id);
create index integrations_tenant on integrations (tenant_id);
create table channel_contacts (
    integration_id text not null references integrations (id) on delete cascade,
    contact text not null,
    workspace_id text not null references workspaces (id) on delete cascade,
    visitor_id text not null,
    session_id text references sessions (id) on delete cascade,
    created_at bigint not null,
    primary key (integration_id, contact)
  );
create index channel_contacts_session on channel_contacts (session_id);
create index channel_contacts_visitor on channel_contacts (visitor_id);
create table inbound_events (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    integration_id text not null references integrations (id) on delete cascade,
    provider_event_id text not null,
    payload text,
    session_id text references sessions (id) on delete set null,
    message_sequence bigint,
    lane text not null,
    position bigint not null,
    state text not null,
    attempts bigint not null,
    next_at bigint not null,
    lease_token text,
    lease_until bigint,
    error text,
    created_at bigint not null,
    ended_at bigint
  );
create unique index inbound_events_once on inbound_events (integration_id, provider_event_id);
create index inbound_events_due on inbound_events (next_at) where state = 'waiting';
create index inbound_events_lane on inbound_events (integration_id, lane, created_at)
    where state = 'waiting';
create index inbound_events_list on inbound_events (integration_id, created_at, id);
create index inbound_events_ended on inbound_events (ended_at);
create index inbound_events_session on inbound_events (session_id);
create table channel_messages (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    integration_id text not null references integrations (id) on delete cascade,
    session_id text references sessions (id) on delete cascade,
    text text,
    provider_message_id text,
    lane text not null,
    position bigint not null,
    state text not null,
    attempts bigint not null,
    next_at bigint not null,
    lease_token text,
    lease_until bigint,
    error text,
    created_at bigint not null,
    ended_at bigint
  );
create index channel_messages_due on channel_messages (next_at) where state = 'waiting';
create index channel_messages_lane on channel_messages (integration_id, lane, created_at)
    where state = 'waiting';
create index channel_messages_ended on channel_messages (ended_at);
create index channel_messages_session on channel_messages (session_id);
create index channel_messages_list on channel_messages (integration_id, created_at, id);
create table social_posts (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    integration_id text not null references integrations (id) on delete cascade,
    text text not null,
    image_url text,
    publish_at bigint not null,
    provider_draft_id text,
    asked_at bigint,
    provider_post_id text,
    url text,
    lane text not null,
    position bigint not null,
    state text not null,
    attempts bigint not null,
    next_at bigint not null,
    lease_token text,
    lease_until bigint,
    error text,
    created_at bigint not null,
    ended_at bigint
  );
create index social_posts_list on social_posts (workspace_id, created_at, id);
create index social_posts_due on social_posts (next_at) where state = 'waiting';
create index social_posts_integration on social_posts (integration_id);
create table migrations (name text primary key, applied_at bigint not null);
insert into migrations (name, applied_at) values
  ('platform-001', 1795387016266),
  ('workspace-001', 1795387016266),
  ('credits-001', 1795387016266),
  ('chat-001', 1795387016266),
  ('leads-001', 1795387016266),
  ('knowledge-001', 1795387016266),
  ('delivery-001', 1795387016266),
  ('rules-001', 1795387016266),
  ('subscriptions-001', 1795387016266),
  ('prompts-001', 1795387016266),
  ('inbox-001', 1795387016266),
  ('appointments-001', 1795387016266),
  ('analytics-001', 1795387016266),
  ('hooks-001', 1795387016266);
insert into workspaces (id, name, locale, plan, time_zone, created_at) values
  ('ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'Workspace 1', 'tr', 'klinik_pro', 'Europe/Istanbul', 1795387016868);
insert into users (id, workspace_id, email, name, role, password_hash, created_at) values
  ('usr_VbkCxCoSgwSVAKE64JLPBez14hLQ6', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'owner1@example.com', 'Owner', 'owner', '$argon2id$v=19$m=19456,t=2,p=1$1iOoNnBfKPKzpw+GWiwc1A$QDaCaDjvqwlauY0/UEAnfejCM0uJ7mfQS21QK+laOT0', 1795387016868);
insert into families (id, user_id, workspace_id, created_at, expires_at, ended_at) values
  ('fam_VbkCxDS5HbuBaxBsoudTk0FWwJBQx', 'usr_VbkCxCoSgwSVAKE64JLPBez14hLQ6', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 1795387016910, 1797979016910, null);
insert into refresh_tokens (digest, family_id, created_at, expires_at, spent_at) values
  ('YmKPZf2Jo_VEYt_YIeoNV_x0zJFnjaRmDwMzFE1pPSQ', 'fam_VbkCxDS5HbuBaxBsoudTk0FWwJBQx', 1795387016910, 1797979016910, null);
insert into api_keys (id, public_id, workspace_id, user_id, name, prefix, secret_hash, scopes, ip_allowlist, created_at, expires_at, last_used_at) values
  ('key_VbkCxKcfc7vopNDcVWoerXDHOZLvO', 'Z6lRTrt9HZ7u', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'usr_VbkCxCoSgwSVAKE64JLPBez14hLQ6', 'CRM', 'svc_live_Z6lR', '$argon2id$v=19$m=19456,t=2,p=1$GXxDOFMwNgz+CZ9JcJIZng$YFaqx+ImKJRlqfqiDvfH9OMKGluo027smFcaB0K5hqo', null, null, 1795387017385, null, null);
insert into idempotency (caller, route, request_id, workspace_id, digest, state, answer, created_at, lease_until) values
  ('vis_VbkCxLQb5kpJmsmRDSWnxOBvtcj4T', 'chatbot/message', 'baseline', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', '-zrw7NGppqGOpDeVrB40kw0j02QfFhrtGeuLPhPZS_A', 'done', '{"session_id":"ses_VbkCxLjWpuagxXgix9q9U7ULsWuOT","message_id":"msg_VbkCxLqG84aSK9TSMzMAkHH244p8L","reply":{"message_id":"msg_VbkCxMsr2OCTXy5WWDLfQHKOZsUdy","role":"assistant","content":"Returns take 14 days.","citations":[{"title":"Returns","url":null,"heading":"Returns","anchor":null,"quote":"Returns take 14 days."}],"quick_replies":[],"confidence":0.916,"form":null},"state":"bot","credits_used":1,"credits_remaining":19997}', 1795387017422, 1795387107422);
insert into mails (id, workspace_id, recipient, content, state, attempts, error, created_at, next_at, ended_at, lease_token, lease_until) values
  ('done', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'done', null, 'sent', 1, null, 1, 1, null, null, null);
insert into login_failures (user_id, failures) values
  ('usr_VbkCxCoSgwSVAKE64JLPBez14hLQ6', 1);
insert into password_resets (digest, user_id, padding, created_at, expires_at) values
  ('done', null, null, 1, 1);
insert into invitations (id, workspace_id, email, name, role, digest, created_at, expires_at) values
  ('done', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'done', 'done', 'done', 'done', 1, 1);
insert into audit (id, workspace_id, actor_kind, actor_id, actor_name, actor_email, action, subject_type, subject_id, details, address, created_at) values
  ('aud_VbkCxDWUQG4TfG70kAsroKFz0F0Fq', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'user', 'usr_VbkCxCoSgwSVAKE64JLPBez14hLQ6', 'Owner', 'owner1@example.com', 'login.succeeded', null, null, '{"way":"token","failures":0}', '127.0.0.0/24', 1795387016914),
  ('aud_VbkCxDzNpRqfJ0gNylA9SrYdRoO1V', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'user', 'usr_VbkCxCoSgwSVAKE64JLPBez14hLQ6', 'Owner', 'owner1@example.com', 'tenant.created', 'tenant', 'tenant-1-m7hkt0', '{}', '127.0.0.0/24', 1795387016943),
  ('aud_VbkCxErRaALS8iXMHX8bGQxbWZleX', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'user', 'usr_VbkCxCoSgwSVAKE64JLPBez14hLQ6', 'Owner', 'owner1@example.com', 'document.added', 'document', 'doc_VbkCxEoPpbXllV6VbGYImAMpbp2R8', '{"kind":"markdown","tenant_id":"tenant-1-m7hkt0"}', '127.0.0.0/24', 1795387016997),
  ('aud_VbkCxHevwKJIcWGEB8eW1K3oLvxjk', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'user', 'usr_VbkCxCoSgwSVAKE64JLPBez14hLQ6', 'Owner', 'owner1@example.com', 'prompt.created', 'prompt', 'offer', '{"version":1}', '127.0.0.0/24', 1795387017170),
  ('aud_VbkCxL93cmTACzsDdUS0pVUJOy8wN', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'user', 'usr_VbkCxCoSgwSVAKE64JLPBez14hLQ6', 'Owner', 'owner1@example.com', 'api_key.created', 'api_key', 'key_VbkCxKcfc7vopNDcVWoerXDHOZLvO', '{"name":"CRM","prefix":"svc_live_Z6lR","scopes":null,"ip_allowlist":null}', '127.0.0.0/24', 1795387017387);
insert into model_choices (workspace_id, choices, updated_at) values
  ('ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', '[]', 1);
insert into balances (workspace_id, month, monthly_limit, monthly, addons, held, entries, low_since, quota_month, used, day, day_from, day_until, ends_at) values
  ('ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 1793491200000, 20000000, 19997000, 0, 0, 13, null, null, 3000, '2026-11-23', 1795381200000, 1795467600000, null);
insert into ledger (id, workspace_id, type, amount, source, monthly_after, addons_after, held_after, run_id, session_id, reference, created_at, sequence) values
  ('ldg_VbkCxCoafSiOhWHKoxlPpm2HTvbmH', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'grant', 20000000, 'monthly', 20000000, 0, 0, null, null, null, 1795387016870, 1),
  ('ldg_VbkCxKFdvgwG7ueKngaoE9v9ypX7A', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'hold', -2000, 'monthly', 20000000, 0, 2000, 'run_VbkCxJFnHjenJvA6i7hsSA66VtwEx', null, null, 1795387017271, 3),
  ('ldg_VbkCxKJy7Q6ZaNtlMonUoCPvA9vJ2', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'release', 2000, 'monthly', 20000000, 0, 0, 'run_VbkCxJFnHjenJvA6i7hsSA66VtwEx', null, null, 1795387017334, 6),
  ('ldg_VbkCxKJqb38W6kDQYDs2LwhY6XRog', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'settle', -2000, 'monthly', 19998000, 0, 0, 'run_VbkCxJFnHjenJvA6i7hsSA66VtwEx', null, null, 1795387017334, 7),
  ('ldg_VbkCxM1PkK4ouZ2nT6Omlhq3Hlj5n', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'hold', -1000, 'monthly', 19998000, 0, 1000, 'run_VbkCxM1sSRN0ZMum4tMgk1MfvK0tZ', 'ses_VbkCxLjWpuagxXgix9q9U7ULsWuOT', null, 1795387017441, 9),
  ('ldg_VbkCxMtxHQ5XRAa9qWfpxSK9Ug6fJ', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'release', 1000, 'monthly', 19998000, 0, 0, 'run_VbkCxM1sSRN0ZMum4tMgk1MfvK0tZ', 'ses_VbkCxLjWpuagxXgix9q9U7ULsWuOT', null, 1795387017495, 12),
  ('ldg_VbkCxMtT5xRsVAxcQyonMk44TlTty', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'settle', -1000, 'monthly', 19997000, 0, 0, 'run_VbkCxM1sSRN0ZMum4tMgk1MfvK0tZ', 'ses_VbkCxLjWpuagxXgix9q9U7ULsWuOT', null, 1795387017495, 13);
insert into holds (id, workspace_id, amount, from_month, session_id, created_at, lease_until, tenant_id, day) values
  ('run_baseline', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 0, 0, null, 1, 1, null, null);
insert into usage_days (workspace_id, kind, day, subject, runs, credits, input_tokens, output_tokens) values
  ('ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'bot', '2026-11-23', 'tenant-1-m7hkt0', 1, 1000, 13, 6),
  ('ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'day', '2026-11-23', '', 2, 3000, 34, 16),
  ('ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'prompt', '2026-11-23', 'summary', 1, 2000, 21, 10),
  ('ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'user', '2026-11-23', 'usr_VbkCxCoSgwSVAKE64JLPBez14hLQ6', 1, 2000, 21, 10);
insert into tenants (id, workspace_id, chatbot_id, name, sector, locale, time_zone, handoff, allowed_origins, theme, greeting, quick_replies, answer_threshold, office_hours, slot_minutes, forms, channels, daily_credit_cap, identity_secret, disabled_at, knowledge_version, created_at, updated_at, privacy, abuse) values
  ('tenant-1-m7hkt0', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'bot_VbkCxDw1zuoO1tux4ML3z5kyWfTIH', 'Site', '', 'tr', 'Europe/Istanbul', 'offer', '[]', '{}', '', '[]', 0.35, '{}', 30, '{}', '["widget"]', 1000000, '2ccde333.Rvr_Q0uKEr8id4L233CFxk3k4_UPy4ufiC4kpNw0aRpWlEiwMxvLB0Xvy0UQSQEP5eEXfc_3r4d3vNZ-P0mlds6e3FA', null, 1795387016941, 1795387016940, 1795387016940, '{}', '{}');
insert into tenant_slugs (tenant_id, owner_id, claimed_at) values
  ('tenant-1-m7hkt0', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 1795387016941);
insert into sessions (id, workspace_id, tenant_id, visitor_id, user_id, state, channel, locale, page_url, message_count, created_at, updated_at, event_count, assignee_id, unread, operator_read, visitor_read, low_answers, last_confidence, waiting_since) values
  ('ses_VbkCxLjWpuagxXgix9q9U7ULsWuOT', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'tenant-1-m7hkt0', 'vis_VbkCxLQb5kpJmsmRDSWnxOBvtcj4T', null, 'bot', 'widget', 'tr', null, 2, 1795387017423, 1795387017492, 3, null, 1, 0, 0, 0, 0.916, null);
insert into messages (id, workspace_id, session_id, sequence, role, content, citations, created_at, author_id) values
  ('msg_VbkCxLqG84aSK9TSMzMAkHH244p8L', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'ses_VbkCxLjWpuagxXgix9q9U7ULsWuOT', 1, 'visitor', 'How long do returns take?', null, 1795387017430, null),
  ('msg_VbkCxMsr2OCTXy5WWDLfQHKOZsUdy', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'ses_VbkCxLjWpuagxXgix9q9U7ULsWuOT', 2, 'assistant', 'Returns take 14 days.', '[{"title":"Returns","url":null,"heading":"Returns","anchor":null,"quote":"Returns take 14 days."}]', 1795387017494, null);
insert into workspace_feeds (workspace_id, position) values
  ('ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 3);
insert into session_events (workspace_id, position, session_id, sequence, kind, message_sequence, note_id, data, created_at) values
  ('ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 1, 'ses_VbkCxLjWpuagxXgix9q9U7ULsWuOT', 1, 'session', null, null, '{}', 1795387017427),
  ('ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 2, 'ses_VbkCxLjWpuagxXgix9q9U7ULsWuOT', 2, 'message', 1, null, '{"unread":1,"author":null,"quick_replies":[],"form":null}', 1795387017430),
  ('ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 3, 'ses_VbkCxLjWpuagxXgix9q9U7ULsWuOT', 3, 'message', 2, null, '{"unread":1,"author":null,"quick_replies":[],"form":null}', 1795387017494);
insert into notes (id, workspace_id, session_id, author_id, text, created_at) values
  ('done', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'ses_VbkCxLjWpuagxXgix9q9U7ULsWuOT', null, 'done', 1);
insert into conversation_summaries (session_id, workspace_id, through, text, updated_at) values
  ('ses_VbkCxLjWpuagxXgix9q9U7ULsWuOT', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 1, 'done', 1);
insert into feedback (session_id, message_id, workspace_id, tenant_id, rating, comment, created_at) values
  ('ses_VbkCxLjWpuagxXgix9q9U7ULsWuOT', 'done', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'tenant-1-m7hkt0', 1, null, 1);
insert into transcripts (id, workspace_id, session_id, recipient, created_at) values
  ('done', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'ses_VbkCxLjWpuagxXgix9q9U7ULsWuOT', 'done', 1);
insert into tenant_spent (workspace_id, tenant_id, day, used) values
  ('ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'tenant-1-m7hkt0', '2026-11-23', 1000);
insert into identities (visitor_id, workspace_id, tenant_id, subject, name, email, phone, verified_at, updated_at) values
  ('done', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'tenant-1-m7hkt0', null, null, null, null, null, 1);
insert into spent_challenges (id, ends_at) values
  ('done', 1);
insert into mail_counts (recipient, sent, ends_at) values
  ('done', 1, 1);
insert into leads (id, workspace_id, tenant_id, session_id, chatbot_id, sector, name, phone, email, interest, source, confidence, consent_text, consent_at, captured_at) values
  ('done', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'tenant-1-m7hkt0', 'ses_VbkCxLjWpuagxXgix9q9U7ULsWuOT', 'done', 'done', 'done', 'done', 'done', 'done', 'done', 0.5, null, null, 1);
insert into lead_drafts (session_id, workspace_id, name, phone, email, confidence, updated_at) values
  ('ses_VbkCxLjWpuagxXgix9q9U7ULsWuOT', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', null, null, null, 0.5, 1);
insert into lead_codes (session_id, workspace_id, digest, tries, expires_at) values
  ('ses_VbkCxLjWpuagxXgix9q9U7ULsWuOT', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'done', 1, 1);
insert into documents (id, workspace_id, tenant_id, kind, title, url, content, state, error, passage_count, created_at, updated_at, parent_id, file_name, bytes, synced_at, sync_hours, fingerprint, etag, last_modified) values
  ('doc_VbkCxEoPpbXllV6VbGYImAMpbp2R8', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'tenant-1-m7hkt0', 'markdown', 'Returns', null, '# Returns

Returns take 14 days.', 'ready', null, 1, 1795387016994, 1795387016994, null, null, 32, null, null, null, null, null);
insert into passages (document_id, ordinal, workspace_id, tenant_id, heading, anchor, content) values
  ('doc_VbkCxEoPpbXllV6VbGYImAMpbp2R8', 0, 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'tenant-1-m7hkt0', 'Returns', null, 'Returns take 14 days.');
insert into knowledge_jobs (document_id, workspace_id, lane, due_at, attempt, started_at, lease_token, lease_until) values
  ('doc_VbkCxEoPpbXllV6VbGYImAMpbp2R8', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'done', 9007199254740991, 1, null, null, null);
insert into knowledge_files (document_id, workspace_id, content) values
  ('doc_VbkCxEoPpbXllV6VbGYImAMpbp2R8', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'done');
insert into unanswered_questions (id, workspace_id, tenant_id, fingerprint, question, locale, asked, first_asked_at, last_asked_at) values
  ('done', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'tenant-1-m7hkt0', 'done', 'done', 'done', 1, 1, 1);
insert into deliveries (id, workspace_id, family, endpoint_id, event, body, tier, attempt, attempts, next_at, held_at, lease_token, lease_until, created_at, session_id) values
  ('done', 'done', 'done', 'done', 'done', 'done', 1, 1, 1, null, null, null, null, 1, null);
insert into delivery_attempts (delivery_id, number, workspace_id, started_at, status, error, latency_ms, answer) values
  ('done', 1, 'done', 1, null, null, null, null);
insert into finished_deliveries (id, workspace_id, family, endpoint_id, event, state, attempts, created_at, finished_at, session_id, attempted_at, status, latency_ms, answer) values
  ('done', 'done', 'done', 'done', 'done', 'done', 1, 1, 1, null, null, null, null, null);
insert into dead_letters (id, workspace_id, family, endpoint_id, event, body, attempts, created_at, died_at, expires_at, session_id) values
  ('done', 'done', 'done', 'done', 'done', 'done', 1, 1, 1, 1, null);
insert into delivery_recoveries (id, endpoint_id, since, until, retries, sent, created_at, finished_at) values
  ('done', 'done', 1, 1, 1, 1, 1, null);
insert into rules (id, workspace_id, name, event, url, secret, conditions, disabled_at, deleted_at, created_at, updated_at, previous_secrets) values
  ('done', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'done', 'done', 'done', 'done', '[]', null, null, 1, 1, '[]');
insert into subscriptions (id, workspace_id, url, events, secret, previous_secrets, switched_off_at, disabled_at, disabled_reason, pings, ping_status, ping_error, ping_latency_ms, pinged_at, deleted_at, created_at, updated_at) values
  ('done', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'done', '[]', 'done', '[]', null, null, null, 1, null, null, null, null, null, 1, 1);
insert into prompts (workspace_id, prompt_id, version, created_at, updated_at, deleted_at) values
  ('ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'offer', 1, 1795387017169, 1795387017169, null);
insert into prompt_versions (workspace_id, prompt_id, version, definition, created_at) values
  ('ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'offer', 1, '{"title":"Offer","kind":"fixed","template":"Write an offer for {{product}}.","inputs_schema":{"type":"object","properties":{"product":{"type":"string"}}},"credits_cost":2}', 1795387017170);
insert into memory (workspace_id, key, value, tenant_id, is_public, created_at, updated_at) values
  ('ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'done', 'done', null, 1, 1, 1);
insert into runs (id, workspace_id, prompt_id, prompt_version, user_id, key_id, request_id, state, locale, model, credits_used, input_tokens, output_tokens, estimated_at, finish_reason, code, detail, created_at, ended_at) values
  ('run_VbkCxJFnHjenJvA6i7hsSA66VtwEx', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'summary', 1, 'usr_VbkCxCoSgwSVAKE64JLPBez14hLQ6', null, 'req_VbkCxI1qCMll9ztPmzsDOJcsYLEqE', 'done', 'tr', 'embedded', 2000, 21, 10, null, 'stop', null, null, 1795387017332, 1795387017340);
insert into run_images (id, workspace_id, run_id, media_type, data, created_at, expires_at) values
  ('done', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'run_VbkCxJFnHjenJvA6i7hsSA66VtwEx', 'done', 'done', 1, 1);
insert into canned_replies (id, workspace_id, title, text, created_at, updated_at) values
  ('done', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'Greeting', 'done', 1, 1);
insert into appointments (id, workspace_id, tenant_id, session_id, chatbot_id, service, start_at, end_at, name, phone, email, locale, source, state, changes, created_at, updated_at, consent_text, consent_at) values
  ('done', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'tenant-1-m7hkt0', null, 'done', null, 1, 1, 'done', null, null, 'done', 'done', 'done', 1, 1, 1, null, null);
insert into analytics_days (workspace_id, tenant_id, day, sessions, visitor_messages, bot_messages, operator_messages, answered, unanswered, handoffs, leads, appointments, talks, longer_talks, first_responses, first_response_ms, ratings, rating_sum, satisfied, capped, widget_events) values
  ('ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'tenant-1-m7hkt0', '2026-11-23', 1, 1, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0);
insert into analytics_subjects (workspace_id, kind, day, tenant_id, subject, count, amount) values
  ('ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'done', 'done', 'tenant-1-m7hkt0', 'done', 1, 0.5);
insert into analytics_waits (session_id, workspace_id, since) values
  ('ses_VbkCxLjWpuagxXgix9q9U7ULsWuOT', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 1);
insert into integrations (id, workspace_id, tenant_id, kind, name, settings, secrets, billing_at, billing_workspaces, disabled_at, created_at, updated_at) values
  ('done', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'tenant-1-m7hkt0', 'telegram', 'done', '{}', '{}', null, null, null, 1, 1);
insert into channel_contacts (integration_id, contact, workspace_id, visitor_id, session_id, created_at) values
  ('done', 'done', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'done', null, 1);
insert into inbound_events (id, workspace_id, integration_id, provider_event_id, payload, session_id, message_sequence, lane, position, state, attempts, next_at, lease_token, lease_until, error, created_at, ended_at) values
  ('done', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'done', 'done', null, null, null, 'done', 1, 'done', 1, 1, null, null, null, 1, null);
insert into channel_messages (id, workspace_id, integration_id, session_id, text, provider_message_id, lane, position, state, attempts, next_at, lease_token, lease_until, error, created_at, ended_at) values
  ('done', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'done', null, null, null, 'done', 1, 'done', 1, 1, null, null, null, 1, null);
insert into social_posts (id, workspace_id, integration_id, text, image_url, publish_at, provider_draft_id, asked_at, provider_post_id, url, lane, position, state, attempts, next_at, lease_token, lease_until, error, created_at, ended_at) values
  ('done', 'ws_VbkCxCmZNxhSHXeo1nmLI4JPyw0aA', 'done', 'done', null, 1, null, null, null, null, 'done', 1, 'done', 1, 1, null, null, null, 1, null);
