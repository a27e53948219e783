import { z } from 'zod'
import { SessionState } from '../../chat/schema.ts'
import { openSession } from '../../chat/session/sessions.ts'
import { pageSchema } from '../../http/pagination.ts'
import { readConversation } from '../../inbox/conversations.ts'
import { readInbox } from '../../inbox/inbox-list.ts'
import { writeMessage } from '../../inbox/replies.ts'
import { Conversation, InboxMessage, InboxQuery, InboxSession, Write } from '../../inbox/schema.ts'
import type { UserCaller } from '../../platform/auth/authenticator.ts'
import { type McpCall, defineTool } from '../tool.ts'
import { CONVERSATION, Paging, SITE } from './fields.ts'

/** Tools of the inbox. */
export const CONVERSATION_TOOLS = [
  defineTool({
    name: 'list_conversations',
    title: 'List conversations',
    description: 'Lists the conversations with visitors, newest first.',
    route: 'GET /api/v1/inbox',
    isReadOnly: true,
    isAudited: true,
    input: z.strictObject({
      ...Paging,
      tenant_id: SITE.tenant_id.optional(),
      state: z
        .enum([...SessionState.options, 'open'])
        .optional()
        .describe('`waiting`: for a person; `open`: every state but `closed`'),
      unread: z.boolean().optional().describe('True: only those with messages nobody has read'),
      q: InboxQuery.shape.q,
    }),
    output: pageSchema(InboxSession),
    run: async (ctx, { caller }: McpCall<UserCaller>, { unread, ...query }) =>
      readInbox(ctx, caller, {
        ...query,
        ...(unread === undefined
          ? {}
          : { unread: unread ? ('true' as const) : ('false' as const) }),
      }),
  }),
  defineTool({
    name: 'get_conversation',
    title: 'Read a conversation',
    description:
      'Reads a conversation with its newest messages, oldest first, the notes of operators and ' +
      'the contact details that the visitor left.',
    route: 'GET /api/v1/inbox/:session_id',
    isReadOnly: true,
    isAudited: true,
    input: z.strictObject({ ...CONVERSATION, ...Paging }),
    output: Conversation,
    run: async (ctx, { caller }: McpCall<UserCaller>, { session_id: id, limit, cursor }) =>
      readConversation(ctx, await openSession(ctx, caller, id), { limit, before: cursor }),
  }),
  defineTool({
    name: 'reply',
    title: 'Reply to a visitor',
    description:
      'Sends a message to the visitor of a conversation, as a person of the team. The assistant of ' +
      'the site is silent from then on.',
    route: 'POST /api/v1/inbox/:session_id/messages',
    isReadOnly: false,
    isAudited: true,
    input: z.strictObject({ ...CONVERSATION, text: Write.shape.text.describe('What is sent') }),
    output: InboxMessage,
    run: async (ctx, { caller }: McpCall<UserCaller>, { session_id: id, text }) => {
      const session = await openSession(ctx, caller, id)
      return writeMessage(ctx, caller, { session, text, key: undefined })
    },
  }),
]
