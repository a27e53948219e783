import { z } from 'zod'
import { Citation, Feedback, HistoryMessage, Identity, SessionState } from '../chat/schema.ts'
import { TenantId } from '../tenants/schema.ts'
import { text } from '../http/text-field.ts'
import { PageQuery, pageSchema } from '../http/pagination.ts'
import { Lead } from '../leads/schema.ts'
import { Person } from '../live/schema.ts'

/** Maximum length of an operator's message, in Unicode code points after trimming. */
const MAX_TEXT = 4_000

/** Filters of the inbox; a filter that is left out matches all. */
export const InboxQuery = z.strictObject({
  ...PageQuery.shape,
  state: SessionState.optional(),
  /** `me`, `none`, or a member's id. */
  assignee: z.union([z.enum(['me', 'none']), z.string().regex(/^usr_\w{1,60}$/)]).optional(),
  tenant_id: TenantId.optional(),
  unread: z.enum(['true', 'false']).optional(),
})
export type InboxQuery = z.infer<typeof InboxQuery>

/** A session as operators see it in a list. */
export const InboxSession = z.object({
  session_id: z.string(),
  tenant_id: z.string(),
  state: SessionState,
  channel: z.string(),
  locale: z.string(),
  page_url: z.string().nullable(),
  visitor_id: z.string().nullable(),
  /** The visitor's identity; null without one. Only a verified identity is trustworthy. */
  identity: Identity.nullable(),
  assignee: Person.nullable(),
  /** Visitor messages that no operator has read. */
  unread: z.int(),
  last_message: z
    .object({ role: HistoryMessage.shape.role, content: z.string(), created_at: z.string() })
    .nullable(),
  /** The visitor's name in the lead. */
  lead_name: z.string().nullable(),
  waiting_since: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type InboxSession = z.infer<typeof InboxSession>

/** A message with the operator who wrote it. */
export const InboxMessage = z.object({ ...HistoryMessage.shape, author: Person.nullable() })
export type InboxMessage = z.infer<typeof InboxMessage>

export const Note = z.object({
  note_id: z.string(),
  session_id: z.string(),
  author: Person.nullable(),
  text: z.string(),
  created_at: z.string(),
})
export type Note = z.infer<typeof Note>

/** A session with the newest page of its messages, oldest first; the cursor leads to older ones. */
export const Conversation = z.object({
  ...InboxSession.shape,
  messages: pageSchema(InboxMessage),
  notes: z.array(Note),
  lead: Lead.nullable(),
  feedback: z.array(Feedback),
  /** The last message that each side has read; null for none. */
  read_by_visitor: z.string().nullable(),
  read_by_operator: z.string().nullable(),
})
export type Conversation = z.infer<typeof Conversation>

/** `down` is 1 or 2, `up` is 4 or 5. */
export const FeedbackQuery = z.strictObject({
  ...PageQuery.shape,
  rating: z.enum(['up', 'down']).optional(),
})

/** A visitor's rating of an answer, with the question and what was cited. */
export const RatedAnswer = z.object({
  message_id: z.string(),
  session_id: z.string(),
  rating: z.int(),
  question: z.string().nullable(),
  answer: z.string(),
  citations: z.array(Citation),
  comment: z.string().nullable(),
  created_at: z.string(),
})
export type RatedAnswer = z.infer<typeof RatedAnswer>

export const Release = z.strictObject({ to: z.enum(['bot', 'waiting']).default('bot') })

export const Write = z.strictObject({ text: text(1, MAX_TEXT) })

export const NewCannedReply = z.strictObject({ title: text(1, 80), text: text(1, MAX_TEXT) })
export type NewCannedReply = z.infer<typeof NewCannedReply>

export const CannedReplyPatch = z.strictObject(NewCannedReply.partial().shape)
export type CannedReplyPatch = z.infer<typeof CannedReplyPatch>

/** A canned reply of the workspace. */
export const CannedReply = z.object({
  canned_reply_id: z.string(),
  title: z.string(),
  text: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type CannedReply = z.infer<typeof CannedReply>

/** All stored data of a session, for the visitor. */
export const SessionExport = z.object({
  session_id: z.string(),
  tenant_id: z.string(),
  visitor_id: z.string().nullable(),
  state: SessionState,
  channel: z.string(),
  locale: z.string(),
  page_url: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  messages: z.array(HistoryMessage),
  feedback: z.array(Feedback),
  lead: Lead.nullable(),
  exported_at: z.string(),
})
export type SessionExport = z.infer<typeof SessionExport>
