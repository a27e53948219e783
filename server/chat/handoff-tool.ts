import { transaction } from '../context.ts'
import { fold, words } from '../lib/fold.ts'
import type { ChatTool, ToolPlace } from './chat-tool.ts'
import { askForPerson } from './handoff.ts'
import { leadFormOf } from './tenants.ts'

/** How visitors speak of a person, folded; Turkish endings follow. */
const PERSON =
  /^(?:human|person|people|agent|operator|representative|somebody|someone|staff|support|manager|yetkili|temsilci|insan|musteri|calisan|personel|canli|destek|biri|mudur)/
/** So many of the visitor's last messages are looked at. */
const RECENT = 3

/** Asks for a person when the visitor wants one, or the bot has not known an answer. */
export const handoffTool: ChatTool = {
  name: 'handoff',
  description:
    'Hands the conversation over to a person. Call it when the visitor asks for a person, or when you cannot help and the visitor agrees.',
  schema: { type: 'object', properties: {}, additionalProperties: false },

  isOffered: ({ tenant, session }) => tenant.handoff !== 'off' && session.state === 'bot',

  async run(ctx, place) {
    const { tenant, session } = place
    if (!wantsPerson(place) && session.low_answers === 0) {
      return { told: 'The visitor did not ask for a person. Offer one, and wait for an answer.' }
    }
    const { notice } = await transaction(ctx, (tx) => askForPerson(tx, tenant, session, 'model'))
    if (!notice) return { told: 'A person will answer in this conversation shortly.' }
    return {
      told: 'Nobody is available right now, and the visitor was told so.',
      ...(leadFormOf(tenant).enabled ? { form: 'lead' as const } : {}),
    }
  },
}

/** A document must not be able to call somebody: the visitor's own words decide. */
function wantsPerson({ said }: ToolPlace): boolean {
  return said.slice(-RECENT).some((text) => words(text).some((word) => PERSON.test(fold(word))))
}
