import { anyOf } from '../../../lib/text/any-of.ts'
import { likelihoodsOf, shippedTextModel } from './text-classifier.ts'

/**
 * How likely a message has to be off the topic of any business to be taken for it, and for passages that are hardly near
 * to be quoted no longer.
 */
const OFF_TOPIC = 0.45
const DOUBTFUL = 0.03

/** A flat of so many rooms and a living room, as it is written in Turkey. */
const FLAT = /^\W*\d ?\+ ?1(?!\d)(?: \p{L}|\W*$)/u

/** The model that `npm run fit:off-topic` makes. */
const shippedOffTopic = shippedTextModel('off-topic', 1)

/** Whether a message asks for something that hardly any site is asked about, such as the weather: surely, and perhaps. */
export function readOffTopic(message: string): { isOffTopic: boolean; mayBeOffTopic: boolean } {
  const [likelihood = 0] = FLAT.test(message) ? [] : likelihoodsOf(message, shippedOffTopic())
  return { isOffTopic: likelihood >= OFF_TOPIC, mayBeOffTopic: likelihood >= DOUBTFUL }
}

/** Whether a folded word is one for translating, which is a trade of its own. */
export const isOfTranslating = (folded: string): boolean =>
  /^(?:translat|ubersetz|cevir|tercum)|ترجم/.test(folded)

/** Questions for work there, folded. */
const JOB_REQUESTS = anyOf([
  /\bis (?:ilan|basvuru|firsat)\w*|\b(?:(?:eleman|personel|isci) (?:ariyor|alim|aliyor)\w*|(?<!\d )(?:eleman|personel|isci) lazim m[iı]\w*)|\bis ariyorum\b|\b(?:acik )?pozisyon(?:lar)?(?:unuz|iniz)\b/,
  /\b(?:are|r) (?:you|u|they) hiring\b|\bjob (?:openings?|vacanc\w+|offers?|application)\b|\bjob vacanc(?:y|ies)\b|\bvacanc(?:y|ies)\b(?! (?:for|on|at|in|of|tonight|this|next|between)\b)(?=.*\b(?:job|work|staff|team|apply|position)|\W*$)|\bapply for a job\b|\bwork (?:for (?:you|your (?:company|team))|at your (?:company|shop|store|place|cafe|restaurant|clinic|office|studio))\b|\bopen positions?\b/,
  /\bstellenangebot\w*|\boffene stellen\b|\bstell(?:t ihr|en sie) (?:leute |jemand )?ein\b|\bbewerb(?:en|ung)\b|وظايف|توظيف|فرص عمل/,
])
const JOB_WORDS =
  /\b(?:is (?:ilan|basvuru)|basvuru|basvur|kariyer|ozgecmis|cv|eleman|personel|ise al|staj|hiring|jobs?|careers?|vacanc|recruit|(?:to|how|please|can) apply|apply (?:for|by|with|online|here|now)|resume|stellen|bewerb|einstell|karriere)|وظايف|توظيف|سيره ذاتيه/

/** Whether a folded question asks for work; a text about its business without such words says nothing of it. */
export const asksForJob = (folded: string): boolean => JOB_REQUESTS.test(folded)

/** Whether a folded text speaks of jobs. */
export const speaksOfJobs = (folded: string): boolean => JOB_WORDS.test(folded)
