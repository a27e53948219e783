import { fold } from '../../../lib/text/fold.ts'
import { LANGUAGES, type Language, languageOfLocale } from '../../../lib/text/language.ts'
import { ar } from '../../../locales/answers/ar.ts'
import { de } from '../../../locales/answers/de.ts'
import { type AnswerStrings, en } from '../../../locales/answers/en.ts'
import { tr } from '../../../locales/answers/tr.ts'
import { readSmallTalk } from '../understanding/small-talk.ts'

/** The built-in answerer's own sentences. */
export const ANSWER_STRINGS: Readonly<Record<Language, AnswerStrings>> = { tr, en, de, ar }

const MAX_LENGTH = 60

/** Whether a message does nothing but agree. */
export function isAgreement(text: string, locale: string): boolean {
  if (text.length > MAX_LENGTH) return false
  const small = readSmallTalk(text, { preferred: languageOfLocale(locale), written: fold(text) })
  return small?.isWhole === true && (small.talk === 'yes' || small.talk === 'ok')
}

/** What a reply of the answerer has offered at its end, in any language. */
export function offeredIn(reply: string): 'person' | 'form' | undefined {
  for (const language of LANGUAGES) {
    if (reply.includes(ANSWER_STRINGS[language].offerPerson)) return 'person'
    if (reply.includes(ANSWER_STRINGS[language].offerForm)) return 'form'
  }
  return undefined
}
