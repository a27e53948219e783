import { transaction } from '../../context.ts'
import { fold } from '../../lib/text/fold.ts'
import { type ChatTool, type ToolContext, previousVisitorText } from './chat-tool.ts'
import { requestHandoffInTx } from './handoff.ts'
import { findStaffing } from './staffing.ts'
import { leadFormOf } from '../../tenants/tenants.ts'

/** Phrases that ask for a person, folded. */
const ABOUT_PERSON =
  /\b(?:temsilci|yetkili|operator|insan|canli destek|musteri (?:hizmet|temsil)|gercek (?:kisi|biri)|biri(?:yle|nizle|ne|si|leri)|beni ara|arasin|arayin|baglar ?mi|baglan|gorusmek ist|konusmak ist|human|person|agent|representative|operator|someone|somebody|colleague|customer (?:service|support)|support team|call me|(?:speak|talk) (?:to|with))/
const AGREES =
  /^(?:evet|olur|tamam|lutfen|tabii|elbette|isterim|yes|yeah|yep|sure|ok|okay|please)\b/

/** Requests a handoff when the visitor wants a person. */
export const handoffTool: ChatTool = {
  name: 'handoff',
  description:
    'Hands the conversation over to a person of the site. Call it when the visitor asks for one, or agrees to your offer of one.',
  schema: { type: 'object', properties: {}, additionalProperties: false },

  isOffered: ({ tenant, session }) => tenant.handoff !== 'off' && session.state === 'bot',

  async run(ctx, place) {
    const { tenant, session } = place
    if (!(await executeHandoff(ctx, place))) {
      return {
        result: 'It was not done: the visitor has not asked for a person. You may offer one.',
      }
    }
    const staffing = await findStaffing(ctx, tenant)
    if (staffing.kind === 'closed') {
      return {
        result: 'Nobody is there now. Say so, and that somebody will get back to them.',
        ...(leadFormOf(tenant).enabled ? { form: 'lead' } : {}),
      }
    }
    await transaction(ctx, (tx) => requestHandoffInTx(tx, tenant, session, 'model'))
    return {
      result:
        staffing.kind === 'online'
          ? 'A person was asked for and will answer here. Say so in one sentence.'
          : 'The team was told, and somebody will answer here. Say so in one sentence.',
    }
  },
}

/**
 * Returns whether the visitor's own words ask for a person: neither a document nor the model can
 * ask in their place.
 */
async function executeHandoff(
  ctx: Parameters<ChatTool['run']>[0],
  { message }: ToolContext,
): Promise<boolean> {
  const last = fold(message.content)
  if (ABOUT_PERSON.test(last)) return true
  return AGREES.test(last) && ABOUT_PERSON.test(fold(await previousVisitorText(ctx, message)))
}
