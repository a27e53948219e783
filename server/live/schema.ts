import { z } from 'zod'
import { HistoryMessage, SessionState } from '../chat/schema.ts'

/** A member of the workspace, as other members see them. */
export const Person = z.object({
  user_id: z.string(),
  name: z.string(),
  picture_url: z.string().nullable().optional().describe('A path on this server'),
})
export type Person = z.infer<typeof Person>

/** `event: state` on a conversation's stream. */
export const LiveState = z.object({
  session_id: z.string(),
  state: SessionState,
  operator: z
    .object({ name: z.string(), picture_url: z.string().nullable() })
    .nullable()
    .describe('The operator who answers; `picture_url` is a path on this server'),
})
export type LiveState = z.infer<typeof LiveState>

/** `event: message` on a conversation's stream. */
export const LiveMessage = z.object({
  ...HistoryMessage.shape,
  quick_replies: z.array(z.string()),
  form: z.enum(['lead', 'appointment']).nullable(),
})
export type LiveMessage = z.infer<typeof LiveMessage>

/** `event: read`: one side has read all messages up to this one. */
export const LiveRead = z.object({
  session_id: z.string(),
  reader: z.enum(['visitor', 'operator']),
  message_id: z.string(),
  read_at: z.string(),
})
export type LiveRead = z.infer<typeof LiveRead>

/** `event: typing`: not stored; expires after a few seconds without a repetition. */
export const LiveTyping = z.object({
  session_id: z.string(),
  role: z.enum(['visitor', 'operator']),
  is_typing: z.boolean(),
  name: z.string().nullable(),
})
export type LiveTyping = z.infer<typeof LiveTyping>

/** `event: typing` on the workspace's stream; `user_id` is null for a visitor. */
export const WorkspaceTyping = z.object({
  ...LiveTyping.shape,
  tenant_id: z.string(),
  user_id: z.string().nullable(),
})
export type WorkspaceTyping = z.infer<typeof WorkspaceTyping>

/** `unanswered`: no operator answered in time, and the bot goes on. */
export const StateReason = z.enum([
  'requested',
  'claimed',
  'assigned',
  'released',
  'closed',
  'reopened',
  'unanswered',
])
export type StateReason = z.infer<typeof StateReason>

/** `event: state` on the workspace's stream. */
export const WorkspaceState = z.object({
  session_id: z.string(),
  tenant_id: z.string(),
  state: SessionState,
  assignee: Person.nullable(),
  reason: StateReason,
})
export type WorkspaceState = z.infer<typeof WorkspaceState>

/** `event: message` on the workspace's stream. */
export const WorkspaceMessage = z.object({
  ...LiveMessage.shape,
  tenant_id: z.string(),
  unread: z.int(),
  author: Person.nullable(),
})
export type WorkspaceMessage = z.infer<typeof WorkspaceMessage>

/** `event: session` on the workspace's stream: a session started. */
export const WorkspaceSession = z.object({
  session_id: z.string(),
  tenant_id: z.string(),
  state: SessionState,
  channel: z.string(),
  locale: z.string(),
  page_url: z.string().nullable(),
  visitor_id: z.string().nullable(),
  created_at: z.string(),
})
export type WorkspaceSession = z.infer<typeof WorkspaceSession>

/** `event: read` on the workspace's stream. */
export const WorkspaceRead = z.object({
  ...LiveRead.shape,
  tenant_id: z.string(),
  unread: z.int(),
})
export type WorkspaceRead = z.infer<typeof WorkspaceRead>

/** `event: note` on the workspace's stream: for operators only. */
export const WorkspaceNote = z.object({
  note_id: z.string(),
  session_id: z.string(),
  tenant_id: z.string(),
  author: Person.nullable(),
  text: z.string(),
  created_at: z.string(),
})
export type WorkspaceNote = z.infer<typeof WorkspaceNote>

/** `event: inbox` on the workspace's stream: tags or snooze changed; for operators only. */
export const WorkspaceInbox = z.object({
  session_id: z.string(),
  tenant_id: z.string(),
  tags: z.array(z.string()),
  snoozed_until: z.string().nullable(),
})
export type WorkspaceInbox = z.infer<typeof WorkspaceInbox>

/** `event: removed` on the workspace's stream: the session was erased. */
export const WorkspaceRemoved = z.object({ session_id: z.string(), tenant_id: z.string() })
export type WorkspaceRemoved = z.infer<typeof WorkspaceRemoved>

/** The `data` of a conversation's stream; `event` says which. */
export const SessionEvent = z.union([LiveMessage, LiveState, LiveRead, LiveTyping])

/** The `data` of the workspace's stream; `event` says which. */
export const WorkspaceEvent = z.union([
  WorkspaceMessage,
  WorkspaceState,
  WorkspaceSession,
  WorkspaceRead,
  WorkspaceNote,
  WorkspaceInbox,
  WorkspaceRemoved,
  LiveTyping,
])
