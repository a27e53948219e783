import { z } from 'zod'
import { redactCredits, redactRefusal } from '../../chat/redaction.ts'
import { SendMessage, Turn } from '../../chat/schema.ts'
import { openTenant } from '../../chat/session/sessions.ts'
import { beginTurn } from '../../chat/turn/answer.ts'
import type { Context } from '../../context.ts'
import { AppError } from '../../http/errors.ts'
import { clientNetwork } from '../../http/addresses.ts'
import type { Caller, UserCaller, VisitorCaller } from '../../platform/auth/authenticator.ts'
import type { TenantRow } from '../../tenants/tenants.ts'
import { findTenant } from '../../tenants/tenants.ts'
import { type McpCall, defineTool } from '../tool.ts'
import { SITE } from './fields.ts'

const Question = {
  message: SendMessage.shape.message.describe('The question, in the words of the person'),
  session_id: SendMessage.shape.session_id.describe(
    '`session_id` of the answer before, to go on; left out, a conversation begins',
  ),
  locale: SendMessage.shape.locale,
}
const ABOUT =
  'Asks the assistant of a site, which answers from its documents with sources and a confidence. '
const ROUTE = 'POST /api/v1/chatbot/message'

/** Runs a turn to its end. A cancelled call stops the model, and its hold is settled or released. */
async function serializeTransaction(
  ctx: Context,
  { caller, signal }: McpCall<Caller>,
  { tenant, input, client }: { tenant: TenantRow; input: SendMessage; client: string | undefined },
): Promise<Turn> {
  try {
    const pieces = await beginTurn(ctx, caller, tenant, { input, key: undefined, signal, client })
    for await (const piece of pieces) {
      if ('turn' in piece) return redactCredits(piece.turn, caller)
    }
  } catch (error) {
    throw redactRefusal(error, caller)
  }
  throw new Error('The turn ended without an answer.')
}

/** Asks a site of the caller's workspace. */
export const ASK = defineTool({
  name: 'ask',
  title: 'Ask the assistant of a site',
  description: `${ABOUT}Costs 1 to 3 credits. The conversation is kept in the inbox.`,
  route: ROUTE,
  isReadOnly: false,
  input: z.strictObject({ ...SITE, ...Question }),
  output: Turn,
  run: async (ctx, call: McpCall<UserCaller>, input) => {
    const tenant = await openTenant(ctx, call.caller, input.tenant_id)
    return serializeTransaction(ctx, call, { tenant, input, client: undefined })
  },
})

/** Asks a public site, as one of its visitors. */
export const PUBLIC_ASK = defineTool({
  name: 'ask',
  title: 'Ask the assistant of this site',
  description: ABOUT.trim(),
  route: ROUTE,
  isReadOnly: false,
  input: z.strictObject(Question),
  output: Turn,
  run: async (ctx, call: McpCall<VisitorCaller>, question) => {
    const { tenantId } = call.caller
    const tenant = await findTenant(ctx.db, tenantId)
    if (!tenant) throw new AppError('not_found', 'This site does not exist.')
    const input = { ...question, tenant_id: tenantId }
    return serializeTransaction(ctx, call, { tenant, input, client: clientNetwork(call.request) })
  },
})
