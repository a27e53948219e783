interface SessionsTable {
  id: string
  workspace_id: string
  tenant_id: string
  visitor_id: string | null
  user_id: string | null
  state: 'bot' | 'waiting' | 'operator' | 'closed'
  channel: string
  locale: string
  page_url: string | null
  message_count: number
  /** Number of the session's events, which is the sequence of its last event. */
  event_count: number
  /** The assigned operator. */
  assignee_id: string | null
  /** Visitor messages that no operator has read. */
  unread: number
  /** Sequence of the last message that each side has read. */
  operator_read: number
  visitor_read: number
  /** Consecutive answers below the tenant's threshold. */
  low_answers: number
  /** Confidence of the last answer, 0–1. */
  last_confidence: number | null
  waiting_since: number | null
  /** When operators were notified that the visitor waits. */
  waiting_alerted_at: number | null
  /** Out of the inbox until then, or until the visitor writes. */
  snoozed_until: number | null
  created_at: number
  updated_at: number
}

interface MessagesTable {
  id: string
  workspace_id: string
  session_id: string
  sequence: number
  role: 'visitor' | 'assistant' | 'operator' | 'system'
  content: string
  citations: string | null
  /** JSON; null for none. */
  attachments: string | null
  /** The operator who wrote the message. */
  author_id: string | null
  created_at: number
  /** The content as search compares it; null where the content is written like that already. */
  folded: string | null
}

/** A tag that operators gave a session. */
interface SessionTagsTable {
  workspace_id: string
  tag: string
  session_id: string
}

/** The event log of live streams, in order. Append-only; retention deletes old rows. */
interface SessionEventsTable {
  workspace_id: string
  /** Position in the workspace's stream: in the order of the commits, without gaps. */
  position: number
  /** Null once the session is erased. */
  session_id: string | null
  /** Sequence in the session's stream. */
  sequence: number
  kind: 'session' | 'message' | 'state' | 'read' | 'note' | 'inbox' | 'removed'
  message_sequence: number | null
  note_id: string | null
  data: string
  created_at: number
}

/** Credits that a site with a daily cap has used on a day of its time zone. */
interface TenantSpentTable {
  workspace_id: string
  tenant_id: string
  day: string
  used: number
}

/** What client addresses have used of a site's daily cap; the counter is a keyed digest. */
interface ClientSpentTable {
  workspace_id: string
  counter: string
  used: number
  ends_at: number
}

/** Operators' notes on a session, hidden from its visitor. */
interface NotesTable {
  id: string
  workspace_id: string
  session_id: string
  author_id: string | null
  text: string
  created_at: number
}

interface WorkspaceFeedsTable {
  workspace_id: string
  /** Position of the last event. The row stays locked until the event is committed. */
  position: number
}

interface ConversationSummariesTable {
  session_id: string
  workspace_id: string
  /** Sequence of the last summarized message. */
  through: number
  text: string
  updated_at: number
}

interface FeedbackTable {
  session_id: string
  /** Empty for a rating of the whole session. */
  message_id: string
  workspace_id: string
  tenant_id: string
  /** 1–5. */
  rating: number
  comment: string | null
  created_at: number
  /** When an operator took the rating off the list. */
  handled_at: number | null
}

/** Addresses that a mailed code has proved to be the visitor's. */
interface ProvedAddressesTable {
  session_id: string
  workspace_id: string
  /** Keyed digest of the address. */
  address: string
  proved_at: number
}

interface IdentitiesTable {
  visitor_id: string
  workspace_id: string
  tenant_id: string
  subject: string | null
  name: string | null
  email: string | null
  phone: string | null
  verified_at: number | null
  updated_at: number
}

/** Mails of a person, a visitor's network or a workspace; the key is a digest. */
interface MailCountsTable {
  counter: string
  sent: number
  ends_at: number
}

/** When the visitor of a conversation with people was last there. */
interface VisitorActivityTable {
  session_id: string
  workspace_id: string
  seen_at: number
}

/** Conversations with operators' messages that their visitors may not have seen. */
interface PendingRepliesTable {
  session_id: string
  workspace_id: string
  since: number
}

interface SpentChallengesTable {
  id: string
  ends_at: number
}

declare module '../storage/database.ts' {
  interface Tables {
    identities: IdentitiesTable
    sessions: SessionsTable
    messages: MessagesTable
    session_tags: SessionTagsTable
    conversation_summaries: ConversationSummariesTable
    notes: NotesTable
    tenant_spent: TenantSpentTable
    client_spent: ClientSpentTable
    spent_challenges: SpentChallengesTable
    mail_counts: MailCountsTable
    feedback: FeedbackTable
    visitor_activity: VisitorActivityTable
    pending_replies: PendingRepliesTable
    proved_addresses: ProvedAddressesTable
    session_events: SessionEventsTable
    workspace_feeds: WorkspaceFeedsTable
  }
}
