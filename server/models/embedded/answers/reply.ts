import type { Language } from '../../../lib/text/language.ts'
import { fold } from '../../../lib/text/fold.ts'
import type { Talk } from '../lexicon/talk.ts'
import type { MessageReading } from '../understanding/message.ts'
import { dangerIn, isEmergency, isSelfHarm } from '../understanding/danger.ts'
import type { Danger } from '../understanding/danger.ts'
import { isDelicate, isOfHealthOrLaw } from '../understanding/sensitive.ts'
import { speaksOfChange, speaksOfTracking } from '../understanding/wishes.ts'
import { MAX_ANSWER_LENGTH } from './quotes.ts'
import { type Offer, offerText } from './refusal.ts'
import type { AnswerHit } from './sources.ts'
import { answerEach, answerSeveral, type FurtherQuestion } from './several.ts'
import { ANSWER_STRINGS } from './strings.ts'

/** Number of digits of a phone number that the reply repeats. */
const SHOWN_DIGITS = 4

/** The share of the threshold from which a passage on tracking tells where an order is. */
const ORDER_SHARE = 0.3

/** What the reply says about the site. */
export interface ReplySite {
  name: string
  /** What a visitor is offered whose question has no answer. */
  offer: Offer
  /** Whether the calendar is on. */
  hasBooking: boolean
  /** Whether contact details that are written into the conversation count as left. */
  takesContact: boolean
  /** What visitors may ask, in the words of the site. */
  suggestions: readonly string[]
  /** The button for a person, in the language of the reply. */
  personButton: (language: Language) => string
}

/** Contact details in the message. */
export interface GivenContact {
  name?: string
  phone?: string
  email?: string
}

export interface ReplyRequest {
  question: string
  reading: MessageReading
  hits: readonly AnswerHit[]
  /** The questions of a message that asks several, with the passages for each. */
  further?: readonly FurtherQuestion[]
  threshold: number
  site: ReplySite
  contact?: GivenContact | undefined
  /** What the message agrees to or asks for, where no person can be asked. */
  wants?: 'form' | undefined
}

export interface BuiltReply {
  content: string
  /** Indexes of the cited passages in `hits` and, going on from these, in those of the further questions. */
  used: readonly number[]
  confidence: number
  isUnknown: boolean
  /** Nothing was looked up, or the answer says that it is not sure. */
  manner?: 'small_talk' | 'unsure' | undefined
  form?: 'lead' | 'appointment'
  quickReplies: readonly string[]
  /** The questions without an answer, beside those that have one. */
  unanswered?: readonly string[] | undefined
}

const SURE = {
  used: [],
  confidence: 1,
  isUnknown: false,
  manner: 'small_talk',
  quickReplies: [],
} as const

/** Replies without a language model: to small talk, to a wish and the questions beside it, or from the passages. */
export function buildReply(request: ReplyRequest): BuiltReply {
  const reply = replyToMessage(request)
  const whole = request.reading.wish === undefined ? reply : withAnswersBeside(reply, request)
  const danger = dangerIn(fold(request.question)) ?? request.reading.after
  return danger === undefined ? whole : withAlarm(whole, danger, request.reading.language)
}

/** Puts where help is before thanks for contact details, or whatever else comes first. */
function withAlarm(reply: BuiltReply, danger: Danger, language: Language): BuiltReply {
  const alarm = ANSWER_STRINGS[language][danger === 'self_harm' ? 'selfHarm' : 'emergency']
  return reply.content.includes(alarm)
    ? reply
    : { ...reply, content: `${alarm}\n\n${reply.content}` }
}

/** Puts the sure answers to the questions beside a wish before the reply to it, where they fit. */
function withAnswersBeside(reply: BuiltReply, request: ReplyRequest): BuiltReply {
  const { further = [], threshold, question, hits, site } = request
  const asked = fold(question)
  if (isEmergency(asked) || isDelicate(asked)) return reply
  const answers = answerEach({ question, hits, threshold, offer: site.offer }, further).filter(
    ({ known, isUnsure }, at) => known && !isUnsure && further[at]?.reading.wish === undefined,
  )
  let { content } = reply
  const used: number[] = []
  for (const answer of answers.toReversed()) {
    const whole = `${answer.content}\n\n${content}`
    if (content.includes(answer.content) || whole.length > MAX_ANSWER_LENGTH) continue
    content = whole
    used.unshift(...answer.used.slice(0, 1))
  }
  return { ...reply, content, used: [...used, ...reply.used] }
}

function replyToMessage(request: ReplyRequest): BuiltReply {
  const { reading, site, contact, wants } = request
  const words = ANSWER_STRINGS[reading.language]
  if (isSelfHarm(fold(request.question))) return { ...SURE, content: words.selfHarm }
  if (wants === 'form') return { ...SURE, content: words.takenByForm, form: 'lead' }
  if (contact !== undefined) return thankForContact(request, contact)
  if (reading.after !== undefined) return replyAfter(reading.after, request)
  if (reading.isTalkOnly) return replyToTalk(reading.talk ?? 'help', reading.language, site)
  if (reading.wish === 'appointment' && site.hasBooking) {
    return { ...SURE, content: words.appointment, form: 'appointment' }
  }
  return answerQuestion(request)
}

/** After a message of danger only a sure answer to something else is given, or what the site offers. */
function replyAfter(danger: Danger, request: ReplyRequest): BuiltReply {
  const { reading, question, site } = request
  const asked = fold(question)
  const isOther = !reading.isTalkOnly && dangerIn(asked) === undefined && !isOfHealthOrLaw(asked)
  const answer = isOther ? answerQuestion(request) : undefined
  if (answer !== undefined && !answer.isUnknown && answer.manner === undefined) return answer
  const words = ANSWER_STRINGS[reading.language]
  if (danger === 'self_harm') return { ...SURE, content: words.selfHarm }
  const offered = isOther ? offerText(reading.language, site.offer) : ''
  return { ...SURE, content: `${words.emergency} ${offered}`.trim() }
}

function answerQuestion(request: ReplyRequest): BuiltReply {
  const { question, reading, hits, further = [], threshold, site } = request
  const words = ANSWER_STRINGS[reading.language]
  const { offer } = site
  const isOrder = reading.wish === 'order'
  const asked = {
    question,
    // The passage tells of tracking, and answers neither with yes nor with no.
    reading: isOrder ? { ...reading, isPolar: false } : reading,
    hits,
    threshold: isOrder ? threshold * ORDER_SHARE : threshold,
    offer,
  }
  const found = answerSeveral(asked, reading.wish === undefined ? further : [])
  const { content, used, confidence, known, isUnsure, topics } = found
  const manner = isUnsure ? ('unsure' as const) : undefined
  const isAngry = reading.talk === 'complaint' || reading.talk === 'insult'
  const isNearest = !known && used.length > 0
  const regret = (isAngry || reading.isUpset) && !isNearest ? `${words.complaint} ` : ''
  if (isAngry && !known && reading.wish === undefined)
    return replyToTalk(reading.talk ?? 'complaint', reading.language, site)
  const button = offer === 'person' ? [site.personButton(reading.language)] : []
  if (isOrder) {
    const told = known ? hits[used[0] ?? hits.length]?.passage : undefined
    const isTold = told !== undefined && speaksOfTracking(fold(`${told.heading} ${told.text}`))
    const help = offer === 'none' ? '' : ` ${words.order} ${offerText(reading.language, offer)}`
    const said = isTold ? `${content}${help}` : help.trim() || words.unknown
    return {
      content: `${regret}${said}`,
      used: isTold ? used : [],
      confidence: Math.max(confidence, threshold),
      isUnknown: !isTold && offer === 'none',
      quickReplies: button,
    }
  }
  if (reading.wish === 'change' && !(known && speaksOfChange(fold(content)))) {
    const help = `${regret}${words.changeOrder} ${offerText(reading.language, offer)}`.trim()
    const form = offer === 'form' ? { form: 'lead' as const } : {}
    return { ...SURE, content: help, ...form, quickReplies: button }
  }
  if (reading.wish === 'appointment' && !known) {
    const said = `${words.noAppointment} ${offerText(reading.language, offer)}`.trim()
    const form = offer === 'form' ? { form: 'lead' as const } : {}
    return { ...SURE, content: said, ...form, quickReplies: button }
  }
  return {
    content: `${regret}${content}`,
    used,
    confidence,
    isUnknown: !known,
    manner,
    quickReplies: topics,
    unanswered: found.unanswered,
  }
}

function replyToTalk(talk: Talk, language: Language, site: ReplySite): BuiltReply {
  const words = ANSWER_STRINGS[language]
  const button = site.offer === 'person' ? [site.personButton(language)] : []
  if (talk === 'bot') return { ...SURE, content: words.bot(site.name), quickReplies: button }
  if (talk === 'help' || talk === 'hello' || talk === 'howAreYou' || talk === 'yes') {
    return { ...SURE, content: words[talk], quickReplies: talk === 'help' ? site.suggestions : [] }
  }
  if (talk !== 'complaint' && talk !== 'expensive') return { ...SURE, content: words[talk] }
  const said = talk === 'expensive' ? words.expensive : `${words.complaint} ${words.complaintHelp}`
  const content = `${said} ${offerText(language, site.offer)}`
  const form = site.offer === 'form' ? { form: 'lead' as const } : {}
  return { ...SURE, content: content.trim(), ...form, quickReplies: button }
}

/** A name as it is written to its bearer, who may have typed it small. */
function addressed(name: string, language: Language): string {
  if (name !== name.toLocaleLowerCase(language)) return name
  return name.replace(/(?<![\p{L}\p{M}'’])\p{L}/gu, (letter) => letter.toLocaleUpperCase(language))
}

/** Thanks by name, and says where the team will answer; a question beside it is answered too. */
function thankForContact(request: ReplyRequest, contact: GivenContact): BuiltReply {
  const { reading, site } = request
  const words = ANSWER_STRINGS[reading.language]
  const { phone, email } = contact
  const name = addressed(contact.name ?? '', reading.language)
  const answered =
    reading.isTalkOnly || reading.search.question === '' ? undefined : answerQuestion(request)
  const isAnswered = answered !== undefined && !answered.isUnknown && answered.used.length > 0
  const rest = isAnswered ? `\n\n${answered.content}` : ''
  if (phone === undefined && email === undefined) {
    return answered ?? { ...SURE, content: words.welcomeName(name) }
  }
  const reached =
    phone === undefined
      ? words.willWrite(email ?? '')
      : words.willCall(`…${phone.slice(-SHOWN_DIGITS)}`)
  const kept = site.takesContact ? reached : words.needsForm
  const form = site.takesContact ? {} : { form: 'lead' as const }
  const content = `${words.thanksName(name)} ${kept}${rest}`
  return { ...(isAnswered ? answered : SURE), content, ...form }
}
