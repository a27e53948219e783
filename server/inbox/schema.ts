import { z } from 'zod'
import { Citation, Feedback, HistoryMessage, Identity, SessionState } from '../chat/schema.ts'
import { TenantId } from '../tenants/schema.ts'
import { text } from '../http/text-field.ts'
import { IsoTime, Moment, PageQuery, pageSchema } from '../http/pagination.ts'
import { Lead, ManagedLead } from '../leads/schema.ts'
import { Person } from '../live/schema.ts'

/** Maximum length of an operator's message, in Unicode code points after trimming. */
const MAX_TEXT = 4_000

const MAX_TAGS = 10
const MAX_TAG_LENGTH = 30
const MIN_SEARCH_LENGTH = 2
const MAX_SEARCH_LENGTH = 100

const Tag = text(1, MAX_TAG_LENGTH)

/** Filters of the inbox; a filter that is left out matches all. */
export const InboxQuery = z.strictObject({
  ...PageQuery.shape,
  state: z
    .enum([...SessionState.options, 'open'])
    .optional()
    .describe('`open`: every state but `closed`'),
  /** `me`, `none`, or a member's id. */
  assignee: z.union([z.enum(['me', 'none']), z.string().regex(/^usr_\w{1,60}$/)]).optional(),
  tenant_id: TenantId.optional(),
  unread: z.enum(['true', 'false']).optional(),
  q: text(MIN_SEARCH_LENGTH, MAX_SEARCH_LENGTH)
    .optional()
    .describe('In messages and contact details; case and accents do not count'),
  tag: Tag.optional(),
  snoozed: z
    .enum(['true', 'false'])
    .optional()
    .describe('By default, snoozed conversations are listed only with `q`'),
})
export type InboxQuery = z.infer<typeof InboxQuery>

/** The member who has a session. */
const Assignee = z.object({ ...Person.shape, picture_url: z.string().nullable() })

/** A visitor's details, from the site's server, the contact form or the page. */
const InboxVisitor = z.object({
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  page_url: z.string().nullable(),
  locale: z.string(),
})

const LastMessage = z.object({
  role: HistoryMessage.shape.role,
  content: z.string(),
  created_at: z.string(),
})

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
  assignee: Assignee.nullable(),
  visitor: InboxVisitor,
  tags: z.array(z.string()),
  /** Out of the list until then, or until the visitor writes. */
  snoozed_until: IsoTime.nullable(),
  /** Visitor messages that no operator has read. */
  unread: z.int(),
  /** The content is cut to 160 characters. */
  last_message: LastMessage.nullable(),
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
  lead: ManagedLead.nullable(),
  /** The visitor's other conversations with the site, the newest first. */
  earlier: z.array(
    z.object({
      session_id: z.string(),
      created_at: IsoTime,
      last_message: LastMessage.nullable(),
    }),
  ),
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

/** The member who answers from now on; null for the next available member. */
export const Assign = z.strictObject({ user_id: z.string().max(64).nullable() })

export const InboxPatch = z.strictObject({
  tags: z
    .array(Tag)
    .max(MAX_TAGS)
    .transform((tags) => [...new Set(tags)])
    .optional()
    .describe('Replaces the current tags'),
  snoozed_until: Moment.nullable()
    .optional()
    .describe('Hidden from the list until then, or until the visitor writes; null ends the snooze'),
})

export const InboxTag = z.object({ tag: z.string(), count: z.int() })
export type InboxTag = z.infer<typeof InboxTag>

/** How many conversations are where; snoozed ones count nowhere. */
export const InboxCounts = z.object({
  waiting: z.int(),
  mine: z.int().describe('Assigned to the caller, and not closed'),
  open: z.int().describe('Every state but `closed`'),
  closed: z.int(),
})
export type InboxCounts = z.infer<typeof InboxCounts>

/** A reply that was written from the site's documents, and not sent. */
export const Draft = z.object({
  content: z.string().describe('Empty when the documents hold no answer'),
  citations: z.array(Citation),
  credits_used: z.number(),
})
export type Draft = z.infer<typeof Draft>

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
