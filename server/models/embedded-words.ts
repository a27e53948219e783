import type { Language } from '../lib/language.ts'

/** What the built-in answerer says in its own words. */
export interface AnswerWords {
  unknown: string
  greeting: string
}

export const ANSWER_WORDS: Readonly<Record<Language, AnswerWords>> = {
  tr: {
    unknown: 'Üzgünüm, bunu bilmiyorum. İsterseniz iletişim bilgilerinizi bırakın, size dönelim.',
    greeting: 'Merhaba! Size nasıl yardımcı olabilirim?',
  },
  en: {
    unknown:
      'I’m sorry, I don’t know that. If you like, leave your contact details and we will get back to you.',
    greeting: 'Hello! How can I help you?',
  },
}

/** A message that only greets, folded. */
export const GREETING =
  /^(?:merhaba(?:lar)?|selam(?:lar)?|gunaydin|iyi (?:gunler|aksamlar|geceler)|selamun aleykum|nasilsin(?:iz)?|hello|hi|hey|good (?:morning|afternoon|evening|day)|how are you|there|[\s,.!?])+$/
