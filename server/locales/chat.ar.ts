import type { ChatStrings } from './chat.en.ts'

/** Arabic strings of the service in conversations. */
export const ar: ChatStrings = {
  /** A quick reply; sent as a message it asks for a person. */
  talkToPerson: 'التحدث إلى شخص',
  waiting: 'نصلك الآن بأحد أفراد فريقنا، وسيرد عليك هنا.',
  team: (site) => `فريق ${site}`,
  joined: (name: string) => `انضم ${name} إلى المحادثة.`,
  left: 'عاد المساعد الآلي للرد.',
  waitingAgain: 'سيرد عليك زميل آخر هنا بعد قليل.',
  closed: 'أُغلقت هذه المحادثة.',
  reopened: 'تستمر هذه المحادثة.',
  away: 'لا أحد متاح الآن. اترك بيانات التواصل وسنعود إليك.',
  transcript: {
    subject: (site: string) => `محادثتك مع ${site}`,
    intro: (site: string) => `هذه محادثتك مع ${site}.`,
    link: (at) =>
      `طُلب إرسال محادثة مع ${at.site} إلى هذا العنوان. يمكنك قراءتها هنا لمدة ${at.days} أيام:\n${at.link}\n\nإذا لم تطلب ذلك، فتجاهل هذه الرسالة.\n`,
    visitor: 'أنت',
    assistant: 'المساعد',
    operator: 'الفريق',
    system: 'إشعار',
    sources: 'المصادر',
  },
  leadCode: {
    subject: (code) => `رمزك هو ${code}`,
    text: ({ site, code }) =>
      `رمزك لدى ${site} هو ${code}. وهو صالح 15 دقيقة.\n\nإن لم تطلبه فتجاهل هذه الرسالة.\n`,
  },
}
