import { search, type SearchIndex } from '../../server/knowledge/search/search-index.ts'
import {
  answerFromPassages,
  type EmbeddedAnswer,
} from '../../server/models/embedded/answers/answer.ts'
import { DEFAULT_ANSWER_THRESHOLD } from '../../server/models/embedded/answers/confidence.ts'
import { readMessage } from '../../server/models/embedded/understanding/message.ts'
import { readQuestions, type Part, type Question, type SetName } from './questions.ts'

export const SETS = ['react-tr', 'fastify-en'] as const
const MAX_HITS = 8

export interface Outcome {
  question: Question
  answer: EmbeddedAnswer
  /** Documents cited, in order, each once. */
  cited: string[]
}

function ask(index: SearchIndex, question: Question): Outcome {
  const reading = readMessage(question.text, { locale: 'en' })
  const hits = reading.isTalkOnly ? [] : search(index, reading.search, MAX_HITS)
  const threshold = DEFAULT_ANSWER_THRESHOLD
  const answer = answerFromPassages({ question: question.text, reading, hits, threshold })
  const cited = [...new Set(answer.used.map((place) => hits[place]?.passage.doc_id ?? ''))]
  return { question, answer, cited }
}

/** Asks every question of a part. */
export function askAll(part: Part, indexOf: (set: SetName) => SearchIndex): Outcome[] {
  return SETS.flatMap((set) => readQuestions(set, part).map((each) => ask(indexOf(set), each)))
}

/** Shares of the questions: answered right at the first citation, within three; refused rightly. */
export function judge(outcomes: readonly Outcome[]): {
  first: number
  within: number
  refused: number
} {
  const related = outcomes.filter(({ question }) => question.documents.length > 0)
  const unrelated = outcomes.filter(({ question }) => question.documents.length === 0)
  const isRight = ({ question, cited }: Outcome, max: number): boolean =>
    cited.slice(0, max).some((document) => question.documents.includes(document))
  return {
    first: related.filter((outcome) => isRight(outcome, 1)).length / related.length,
    within: related.filter((outcome) => isRight(outcome, 3)).length / related.length,
    refused: unrelated.filter(({ answer }) => !answer.known).length / unrelated.length,
  }
}
