/** What waits to be sent by mail. The content is sealed, and gone once the mail is. */
export const mails: readonly string[] = [
  `create table mails (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    recipient text not null,
    content text,
    state text not null,
    attempts bigint not null,
    error text,
    created_at bigint not null,
    next_at bigint not null,
    ended_at bigint
  )`,
  `create index mails_due on mails (next_at) where state = 'waiting'`,
  `create index mails_ended on mails (ended_at) where state <> 'waiting'`,
  `create index mails_workspace on mails (workspace_id)`,
]
