import type { Language } from '../lib/language.ts'

/** What the built-in answerer says in its own words. */
export interface AnswerWords {
  unknown: string
}

export const ANSWER_WORDS: Readonly<Record<Language, AnswerWords>> = {
  tr: {
    unknown:
      'Üzgünüm, bunu bilmiyorum. İsterseniz sizi bir yetkiliyle görüştürebilirim ya da iletişim bilgilerinizi bırakabilirsiniz, size dönelim.',
  },
  en: {
    unknown:
      'I’m sorry, I don’t know that. If you like, I can put you in touch with a person, or you can leave your contact details and we will get back to you.',
  },
}
