import { fold } from '../../../lib/text/fold.ts'
import type { MessageReading } from '../understanding/message.ts'
import { isEmergency } from '../understanding/danger.ts'
import { isDelicate, missesPerson } from '../understanding/sensitive.ts'
import { answerFromPassages, type EmbeddedAnswer, type PassageAnswerRequest } from './answer.ts'
import { MAX_ANSWER_LENGTH, maxLengthFor } from './quotes.ts'
import { type Offer, offerText } from './refusal.ts'
import type { AnswerHit } from './sources.ts'
import { ANSWER_STRINGS } from './strings.ts'

/** One of several questions of a message, with the passages for it. */
export interface FurtherQuestion {
  question: string
  reading: MessageReading
  hits: readonly AnswerHit[]
}

/** The most confidence of an answer to some of the questions. */
const MAX_PARTIAL_CONFIDENCE = 0.5
const QUESTION_MARK = /\s*[?؟]+\s*$/
/** Begins a question that goes on from the one before. */
const AND = /^(?:(?:and|also|ve|ayrıca|bir de|und|außerdem)[\s,]+|و(?=\p{L}{3}))/iu
/** The first sentence of a quote, or its beginning, which tells whether an answer has it already. */
const BEGINNING = /^.{1,60}?(?:[.!?](?=\s|$)|$)|^.{60}/u

/**
 * Answers a message that asks several questions: each on its own where all answers are sure, naming those that no page
 * answers; else as a whole, with the quotes for each question that the answer lacks. What does not fit in
 * `MAX_ANSWER_LENGTH` is left out. `used` goes on from `hits` into those of the questions, one after the other.
 */
export function answerSeveral(
  request: PassageAnswerRequest,
  further: readonly FurtherQuestion[],
): EmbeddedAnswer {
  const asked = fold(request.question)
  if (further.length === 0 || isEmergency(asked) || isDelicate(asked) || missesPerson(asked))
    return answerFromPassages(request)
  const answers = answerEach(request, further)
  const refused = further.filter((_, at) => answers[at]?.known === false)
  const nearest = answers.filter(({ known, quote }) => !known && quote !== '')
  // An annoyed visitor asks rhetorical questions.
  const isCalm = request.reading?.talk === undefined && request.reading?.isUpset !== true
  const [first, ...others] = answers.filter(({ known }) => known)
  const isSure = [first, ...others].every((answer) => answer?.isUnsure === false)
  if (first !== undefined && isSure && refused.every(({ question }) => isAsked(question))) {
    const sure = others.reduce(withQuote, first)
    const reply =
      isCalm && nearest.length > 0
        ? withNearest(sure, nearest, request.offer)
        : withoutAnswers(sure, isCalm ? refused : [], request.offer)
    return { ...reply, unanswered: isCalm ? refused.map(({ question }) => question) : [] }
  }
  return answers.filter(({ known }) => known).reduce(combine, answerFromPassages(request))
}

/** The answer to each question of a message; `used` as in `answerSeveral`. */
export function answerEach(
  request: PassageAnswerRequest,
  further: readonly FurtherQuestion[],
): EmbeddedAnswer[] {
  let offset = request.hits.length
  return further.map(({ question, reading, hits }) => {
    const answer = answerFromPassages({
      ...request,
      question,
      reading,
      hits,
      maxLength: maxLengthFor(request.question),
    })
    const used = answer.used.map((place) => place + offset)
    offset += hits.length
    return { ...answer, used }
  })
}

/** Adds the answer to one of its questions to that to a whole message. */
function combine(answer: EmbeddedAnswer, own: EmbeddedAnswer): EmbeddedAnswer {
  const isNearest = !answer.known && answer.used.length > 0
  if (!answer.known) return isNearest && own.isUnsure ? answer : own
  return own.isUnsure && !answer.isUnsure ? answer : withQuote(answer, own)
}

/** Whether it is asked plainly; other parts of a message may only look like questions. */
const isAsked = (question: string): boolean => QUESTION_MARK.test(question)

/** Names the questions without an answer and offers help: the reply is none to the whole message, and so not sure. */
function withoutAnswers(
  answer: EmbeddedAnswer,
  unanswered: readonly FurtherQuestion[],
  offer: Offer = 'form',
): EmbeddedAnswer {
  if (unanswered.length === 0) return answer
  const { language } = answer
  const named = unanswered.map(({ question }) =>
    ANSWER_STRINGS[language].nothingOn(question.replace(QUESTION_MARK, '').replace(AND, '')),
  )
  const whole = `${answer.content}\n\n${[...named, offerText(language, offer)].join(' ').trim()}`
  const content = whole.length > MAX_ANSWER_LENGTH ? answer.content : whole
  const confidence = Math.min(answer.confidence, MAX_PARTIAL_CONFIDENCE)
  return { ...answer, content, isUnsure: true, confidence }
}

/** Adds what is nearest to questions that have no clear answer, and offers help. */
function withNearest(
  answer: EmbeddedAnswer,
  nearest: readonly EmbeddedAnswer[],
  offer: Offer = 'form',
): EmbeddedAnswer {
  const { language } = answer
  const quotes = nearest.map(({ quote }) => quote)
  const parts = [
    answer.content,
    ANSWER_STRINGS[language].unsure,
    ...quotes,
    offerText(language, offer),
  ]
  const content = parts.filter(Boolean).join('\n\n')
  if (content.length > MAX_ANSWER_LENGTH) return answer
  const used = [...answer.used, ...nearest.flatMap((own) => own.used.slice(0, 1))]
  const confidence = Math.min(answer.confidence, MAX_PARTIAL_CONFIDENCE)
  return { ...answer, content, confidence, isUnsure: true, used }
}

function withQuote(answer: EmbeddedAnswer, own: EmbeddedAnswer): EmbeddedAnswer {
  const [main] = own.used
  const [first, ...rest] = answer.used
  const beginning = BEGINNING.exec(plain(own.quote))?.[0] ?? ''
  const isSaid = plain(answer.content).includes(beginning.replace(/[.!?]$/, ''))
  // The language of a quote is named once.
  const isNamed = firstLine(own.content) === firstLine(answer.content)
  const content = `${answer.content}\n\n${own.isUnsure || isNamed ? own.quote : own.content}`
  if (main === undefined || first === undefined || isSaid || content.length > MAX_ANSWER_LENGTH)
    return answer
  const confidence = Math.min(answer.confidence, own.confidence)
  return { ...answer, content, confidence, used: [first, main, ...rest] }
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''

/** A text without the marks of headings and lists. */
const plain = (text: string): string =>
  text
    .replaceAll(/\*\*[^*]*\*\*/g, '')
    .replaceAll(/[\s-]+/g, ' ')
    .trim()
