import type { Context } from '../../context.ts'
import { type ExtractedContact, extractContact } from '../visitor/contact-extraction.ts'
import { isAgreement, offeredIn } from '../../models/embedded/answers/strings.ts'
import type { GivenContact, ReplyRequest, ReplySite } from '../../models/embedded/answers/reply.ts'
import {
  type Earlier,
  type MessageReading,
  readMessage,
} from '../../models/embedded/understanding/message.ts'
import type { FurtherQuestion } from '../../models/embedded/answers/several.ts'
import type { Hit } from '../../knowledge/search/hit.ts'
import type { Db } from '../../storage/database.ts'
import { detectLanguage } from '../../lib/text/language.ts'
import { officeStatusAt } from '../../tenants/office-hours.ts'
import {
  type TenantRow,
  appointmentFormOf,
  leadFormOf,
  privacyOf,
  visitorTexts,
} from '../../tenants/tenants.ts'
import { type MessageRow, type SessionRow, listMessages, readLatest } from '../session/store.ts'
import { parseCitations } from '../session/stored-citations.ts'
import { chatStrings, matchesHandoffIntent } from '../session/strings.ts'

/** A message that may hold contact details is at most this long. */
const MAX_CONTACT_LENGTH = 600
const REMOVED = '…'

/** A visitor's message as it was understood, without a language model. */
export interface TurnReading {
  reading: MessageReading
  /** The questions of a message that asks several, with the passages for each. */
  further: readonly FurtherQuestion[]
  contact: GivenContact | undefined
  wants: 'form' | undefined
  /** The message without the names, numbers and addresses that were found in it. */
  anonymous: string
}

/** Understands a message: what it asks, what it leaves out, and contact details in it. */
export async function readTurn(
  ctx: Context,
  { tenant, session, message }: { tenant: TenantRow; session: SessionRow; message: MessageRow },
): Promise<TurnReading> {
  const { content } = message
  const found = content.length <= MAX_CONTACT_LENGTH ? findContact(content, tenant) : undefined
  const anonymous = found === undefined ? content : withoutContact(content, found)
  const earlier: Partial<Earlier> = message.sequence > 1 ? await readEarlier(ctx, message) : {}
  const spoken = found && anonymous === '' ? detectLanguage(maskContact(content, found)) : undefined
  const said = spoken === undefined ? { locale: session.locale, ...earlier } : { locale: spoken }
  const reading = readMessage(anonymous, said)
  const wantsPerson = tenant.handoff === 'off' && matchesHandoffIntent(content)
  const wants =
    wantsPerson || reading.wantsCallBack || (await acceptsOffer(ctx.db, session, message, 'form'))
  const isOffered = wants && leadFormOf(tenant).enabled
  const contact = found && withKnownName(tenant, earlier.question, found)
  return { reading, further: [], contact, wants: isOffered ? 'form' : undefined, anonymous }
}

/** Whether a message only agrees to what the assistant has just offered. */
export async function acceptsOffer(
  db: Db,
  session: SessionRow,
  message: MessageRow,
  offer: 'person' | 'form',
): Promise<boolean> {
  if (message.sequence === 1 || !isAgreement(message.content, session.locale)) return false
  const place = { workspaceId: session.workspace_id, sessionId: session.id }
  const rows = await listMessages(db, place, { limit: 1, after: message.sequence - 2 })
  const [before] = rows
  return before?.role === 'assistant' && offeredIn(before.content) === offer
}

/** The visitor's question before a message, the one before that, and the citations of the last reply that has any. */
async function readEarlier(
  ctx: Context,
  message: MessageRow,
): Promise<Pick<Earlier, 'question' | 'before' | 'cited'>> {
  const place = { workspaceId: message.workspace_id, sessionId: message.session_id }
  const { texts, citations } = await readLatest(ctx.db, place, 3)
  const [question, before] = texts.slice(0, -1).toReversed()
  return { question, before, cited: parseCitations(citations) }
}

function findContact(text: string, tenant: TenantRow): ExtractedContact | undefined {
  const found = extractContact(text, { locale: tenant.locale, isAwaited: false })
  return (found.name ?? found.phone ?? found.email) ? found : undefined
}

/** A name that was written before the number belongs to it. */
function withKnownName(
  tenant: TenantRow,
  question: string | undefined,
  found: GivenContact,
): GivenContact {
  if (found.name !== undefined || question === undefined) return found
  const name = findContact(question, tenant)?.name
  return name === undefined ? found : { ...found, name }
}

const EMAIL = /[^\s@<>]{1,64}@[^\s@<>]{1,255}/gu
const NUMBER = /\+?\p{Nd}(?:[\s()./-]{0,5}\p{Nd}){6,}/gu
/** Words that introduce contact details and ask nothing. */
const INTRODUCTION =
  /(?:^|(?<=[\s,.;:!?…]))(?:benim|ad[ıi]m|ismim|ben|telefon(?:um| numaram)?|numaram|tel|cep|mail(?:im| adresim)?|e-?posta(?:m| adresim)?|beni|bana|aray[ıi]n|arars[ıi]n[ıi]z|ula[sş][ıi]n|my|name|phone|number|email|is|are|i['’]?m|i am|call me|reach me|at|on|and|mein|meine|name ist|nummer|ist|ich bin|ich hei[sß]+e|rufen sie mich an|unter|und|ve)(?=$|[\s,.;:!?…])/giu

function withoutContact(text: string, found: ExtractedContact): string {
  const unnamed = maskContact(text, found)
  const rest = unnamed.replace(INTRODUCTION, ' ').replaceAll(REMOVED, ' ')
  return /[\p{L}]{2}/u.test(rest)
    ? unnamed.replaceAll(REMOVED, ' ').replaceAll(/\s+/g, ' ').trim()
    : ''
}

/** Replaces the name, the numbers and the addresses that were found in a message by `REMOVED`. */
function maskContact(text: string, { name }: ExtractedContact): string {
  const bare = text.replace(EMAIL, REMOVED).replace(NUMBER, REMOVED)
  return name === undefined ? bare : bare.replaceAll(name, REMOVED)
}

/** Returns what the extractive answerer is asked for a turn. */
export function extractiveRequest(
  ctx: Context,
  {
    tenant,
    session,
    message,
    hits,
    understood,
  }: {
    tenant: TenantRow
    session: SessionRow
    message: MessageRow
    hits: readonly Hit[]
    understood: TurnReading
  },
): ReplyRequest {
  const { reading, further, contact, wants } = understood
  const own = further.reduce((count, each) => count - each.hits.length, hits.length)
  return {
    question: message.content,
    reading,
    contact,
    wants,
    hits: hits.slice(0, own),
    further,
    threshold: tenant.answer_threshold,
    site: replySite(ctx, tenant, session),
  }
}

/** The facts and offers of a site that a reply may use. Most answers need few of them. */
function replySite(ctx: Context, tenant: TenantRow, session: SessionRow): ReplySite {
  const lead = leadFormOf(tenant)
  return {
    name: tenant.name,
    get offer() {
      const hasPeople = tenant.handoff !== 'off'
      const isOpen = hasPeople && officeStatusAt(tenant, ctx.now()).isOpen
      return isOpen ? 'person' : lead.enabled ? 'form' : hasPeople ? 'person' : 'none'
    },
    get hasBooking() {
      return appointmentFormOf(tenant).enabled
    },
    get takesContact() {
      return lead.enabled && !lead.verify_email && privacyOf(tenant).consent_required !== true
    },
    get suggestions() {
      return visitorTexts(tenant, session.locale).quickReplies
    },
    personButton: (language) => chatStrings(language).talkToPerson,
  }
}
