export const conversationSummaries: readonly string[] = [
  `create table conversation_summaries (
    session_id text primary key references sessions (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    through bigint not null,
    text text not null,
    updated_at bigint not null
  )`,
]

export const modelChoices: readonly string[] = [
  `create table model_choices (
    workspace_id text primary key references workspaces (id) on delete cascade,
    choices text not null,
    updated_at bigint not null
  )`,
]
