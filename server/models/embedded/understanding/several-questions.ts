import { fold, splitWords } from '../../../lib/text/fold.ts'
import { sentences } from '../../../lib/text/sentences.ts'
import { readKind } from './question-kind.ts'

/** Questions of a message that are answered one by one; of more, only the message as a whole is. */
const MAX_QUESTIONS = 3
const MIN_WORDS = 2
/** Where the second question of a sentence may begin, folded. */
const JOINTS: readonly RegExp[] = [
  /[,;]\s+/g,
  /,?\s(?:ve|bir de)\s+/g,
  /,?\s(?:and|plus)\s+(?=(?:how|what|whats|when|where|which|who|why|is|are|do|does|can|could|will|would|should)\b)/g,
  /,?\sund\s+(?=(?:wie|was|wo|wann|welche\w*|wer|kann|konnen|gibt|ist|sind|hat|habt|haben|darf|muss|kostet)\b)/g,
  /\sو(?=كم|هل|متي|اين|وين|شو|ايش|كيف|قديش|بكم)/g,
]
/** A second question that names the other choice of the first one. */
const ALTERNATIVE = /^(?:yoksa|or|oder|ام|او)\b/

const isQuestion = (text: string): boolean => readKind(fold(text)).kind !== undefined

/** The questions of one sentence. */
function splitSentence(sentence: string): string[] {
  const folded = fold(sentence)
  // Folding changes the length of hardly any letter; where it does, the sentence stays whole.
  if (folded.length !== sentence.length) return [sentence]
  const ends = JOINTS.flatMap((joint) =>
    [...folded.matchAll(joint)].map(({ index, 0: { length } }) => ({
      index,
      next: index + length,
    })),
  ).toSorted((a, b) => a.index - b.index)
  const parts: string[] = []
  let start = 0
  for (const { index, next } of ends) {
    if (index < start) continue
    const [before, after] = [sentence.slice(start, index), sentence.slice(next)]
    const isJoint =
      isQuestion(before) &&
      isQuestion(after) &&
      !ALTERNATIVE.test(fold(after)) &&
      Math.min(splitWords(before).length, splitWords(after).length) >= MIN_WORDS
    if (!isJoint) continue
    parts.push(before.trim())
    start = next
  }
  return [...parts, sentence.slice(start).trim()]
}

/** The questions of a message that asks two or three, in order; none of any other one. */
export function splitQuestions(text: string): string[] {
  const asked = text
    .split('\n')
    .flatMap((line) => sentences(line))
    .filter(
      (sentence) => sentence.endsWith('?') || (!sentence.endsWith('!') && isQuestion(sentence)),
    )
    .filter((sentence) => !ALTERNATIVE.test(fold(sentence)))
  const questions = asked.flatMap((sentence) => splitSentence(sentence))
  return questions.length >= 2 && questions.length <= MAX_QUESTIONS ? questions : []
}
