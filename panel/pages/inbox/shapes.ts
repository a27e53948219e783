import type {
  Conversation as ServedConversation,
  InboxSession as ServedSession,
} from '../../../server/inbox/schema.ts'
import type { Citation } from '../../../server/chat/schema.ts'

/** A conversation of the list with what sorting it adds. */
export interface InboxSession extends Omit<ServedSession, 'assignee'> {
  assignee: { user_id: string; name: string; picture_url: string | null } | null
  tags: string[]
  snoozed_until: string | null
  visitor: { name: string | null; email: string | null; phone: string | null }
}

export interface Conversation extends Omit<ServedConversation, keyof ServedSession>, InboxSession {
  earlier: {
    session_id: string
    created_at: string
    last_message: { content: string } | null
  }[]
}

/** A reply that was written from the site's documents, and not sent. */
export interface Draft {
  content: string
  citations: Citation[]
  credits_used: number
}
