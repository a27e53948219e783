import type { Step } from '../migrate.ts'

export const attachments: readonly Step[] = [
  (dialect) => [
    `alter table tenants add column attachments bigint not null default 0`,
    // Metadata of the message's files, as JSON; the bytes are in a table of their own.
    `alter table messages add column attachments text`,
    `create table attachments (
      id text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      session_id text not null references sessions (id) on delete cascade,
      role text not null,
      name text not null,
      media_type text not null,
      bytes bigint not null,
      content ${dialect === 'postgres' ? 'bytea' : 'blob'} not null,
      created_at bigint not null
    )`,
    `create index attachments_session on attachments (session_id, created_at)`,
    `create index attachments_workspace on attachments (workspace_id, bytes)`,
  ],
]
