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
  /** How many events the conversation has had: the place of the last one. */
  event_count: number
  /** The operator who has it. */
  assignee_id: string | null
  /** Messages of the visitor that no operator has read. */
  unread: number
  /** Each side has read up to this message's place. */
  operator_read: number
  visitor_read: number
  /** Answers in a row below the tenant's threshold. */
  low_answers: number
  /** Of the last answer, 0–1. */
  last_confidence: number | null
  waiting_since: number | null
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
  /** The operator who wrote it. */
  author_id: string | null
  created_at: number
}

/** What live streams send, in order. Only ever added to, and forgotten after a while. */
interface SessionEventsTable {
  workspace_id: string
  /** Its place among the events of the workspace: in the order of the commits, without gaps. */
  position: number
  /** Absent once the session is erased. */
  session_id: string | null
  /** Its place among the events of the session. */
  sequence: number
  kind: 'session' | 'message' | 'state' | 'read' | 'note' | 'removed'
  message_sequence: number | null
  note_id: string | null
  data: string
  created_at: number
}

/** What a site with a daily cap has used on a day of its time zone. */
interface TenantSpentTable {
  workspace_id: string
  tenant_id: string
  day: string
  used: number
}

/** What operators write down about a conversation for each other. */
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
  /** The place of the last event. Its row is locked until the event is committed. */
  position: number
}

interface ConversationSummariesTable {
  session_id: string
  workspace_id: string
  /** The last message that is in it. */
  through: number
  text: string
  updated_at: number
}

interface FeedbackTable {
  session_id: string
  /** Empty for the conversation as a whole. */
  message_id: string
  workspace_id: string
  tenant_id: string
  /** 1–5. */
  rating: number
  comment: string | null
  created_at: number
}

/** Who was sent a conversation by mail, for as long as that limits the next. */
interface TranscriptsTable {
  id: string
  workspace_id: string
  session_id: string
  /** Digest of the address. */
  recipient: string
  created_at: number
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

/** How many mails an address was sent, of which a digest is kept. */
interface MailCountsTable {
  recipient: string
  sent: number
  ends_at: number
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
    conversation_summaries: ConversationSummariesTable
    notes: NotesTable
    tenant_spent: TenantSpentTable
    spent_challenges: SpentChallengesTable
    mail_counts: MailCountsTable
    feedback: FeedbackTable
    transcripts: TranscriptsTable
    session_events: SessionEventsTable
    workspace_feeds: WorkspaceFeedsTable
  }
}
