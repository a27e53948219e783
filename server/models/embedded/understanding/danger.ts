import { sentences } from '../../../lib/text/sentences.ts'
import { likelihoodsOf, shippedTextModel } from './text-classifier.ts'

/** Danger to somebody's life: by who writes, or any other. */
export type Danger = 'self_harm' | 'emergency'

/** The kinds in the order of the model's weights, which `npm run fit:danger` makes. */
export const DANGERS = ['emergency', 'self_harm'] as const satisfies readonly Danger[]

const shippedDangers = shippedTextModel('danger', DANGERS.length)

/** How likely a message, or one of its sentences, has to tell of danger to be taken for it: sentences of a long story may sound like it. */
const MIN_LIKELIHOOD = 0.35
const MIN_OF_SENTENCE = 0.7
/** Characters of a story with a question of its own, and from where on it tells of danger beyond doubt: who is in danger writes less. */
const MIN_STORY = 200
const SURE_OF_STORY = 0.9

/** Messages are asked for several times while they are answered. */
const MAX_KNOWN = 100
const known = new Map<string, Judgement>()

interface Judgement {
  danger: Danger | undefined
  isSure: boolean
}

function judge(message: string): Judgement {
  const parts = message.split('\n').flatMap((line) => sentences(line))
  const texts = parts.length > 1 ? [message, ...parts] : [message]
  let likeliest = 0
  let danger: Danger | undefined
  for (const [at, text] of texts.entries()) {
    const [emergency = 0, selfHarm = 0] = likelihoodsOf(text, shippedDangers())
    const likelihood = emergency + selfHarm
    if (likelihood < (at === 0 ? MIN_LIKELIHOOD : MIN_OF_SENTENCE) || likelihood < likeliest)
      continue
    likeliest = likelihood
    danger = selfHarm > emergency ? 'self_harm' : 'emergency'
  }
  const isStory = message.length >= MIN_STORY && parts.some((part) => /[?؟]$/.test(part))
  return { danger, isSure: !isStory || danger === 'self_harm' || likeliest >= SURE_OF_STORY }
}

function judgementOf(message: string): Judgement {
  const before = known.get(message)
  if (before !== undefined) return before
  if (known.size >= MAX_KNOWN) known.clear()
  const judged = judge(message)
  known.set(message, judged)
  return judged
}

/** The danger to somebody's life of which a message tells, folded or not; `undefined` for a message of anything else. */
export const dangerIn = (message: string): Danger | undefined => judgementOf(message).danger

/** Whether a message tells that its writer may take their own life. */
export const isSelfHarm = (message: string): boolean => dangerIn(message) === 'self_harm'

/** Whether a message tells of danger to somebody's life. */
export const isEmergency = (message: string): boolean => dangerIn(message) !== undefined

/** Whether a message tells of danger beyond doubt; a story with a question of its own may only sound like it. */
export const isSurelyEmergency = (message: string): boolean => {
  const { danger, isSure } = judgementOf(message)
  return danger !== undefined && isSure
}
