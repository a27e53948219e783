import type { Language } from '../../lib/text/language.ts'

/** The built-in answerer's own sentences. */
export interface AnswerStrings {
  unknown: string
  greeting: string
  /** In place of a confidential text. */
  confidential: string
  /** After a tool call that needs no further answer. */
  noted: string
}

export const ANSWER_STRINGS: Readonly<Record<Language, AnswerStrings>> = {
  tr: {
    unknown: 'Üzgünüm, bunu bilmiyorum. İsterseniz iletişim bilgilerinizi bırakın, size dönelim.',
    greeting: 'Merhaba! Size nasıl yardımcı olabilirim?',
    confidential: 'Bunu paylaşamam. Başka bir konuda yardımcı olmak isterim.',
    noted: 'Teşekkürler, not aldık.',
  },
  en: {
    unknown:
      'I’m sorry, I don’t know that. If you like, leave your contact details and we will get back to you.',
    greeting: 'Hello! How can I help you?',
    confidential: 'I cannot share that. I am glad to help with something else.',
    noted: 'Thank you, we have taken note of it.',
  },
}

/** A message that is only a greeting, folded. */
export const GREETING =
  /^(?:merhaba(?:lar)?|selam(?:lar)?|gunaydin|iyi (?:gunler|aksamlar|geceler)|selamun aleykum|nasilsin(?:iz)?|hello|hi|hey|good (?:morning|afternoon|evening|day)|how are you|there|[\s,.!?])+$/
