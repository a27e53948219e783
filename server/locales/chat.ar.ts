import type { ChatStrings } from './chat.en.ts'

/** Arabic strings of the service in conversations. */
export const ar: ChatStrings = {
  language: 'ar',
  /** A quick reply; sent as a message it asks for a person. */
  talkToPerson: 'التحدث مع موظف',
  waiting: 'نصلك الآن بأحد أفراد فريقنا، وسيرد عليك هنا.',
  notified: 'أبلغنا فريقنا، وسيرد عليك هنا.',
  nobodyFree: 'لا أحد متاح الآن. اترك بريدك الإلكتروني، أو تابع مع المساعد.',
  nobodyFreeWithoutForm: 'لا أحد متاح الآن. يمكنك المتابعة مع المساعد.',
  team: (site) => `فريق ${site}`,
  joined: (name: string) => `انضم ${name} إلى المحادثة.`,
  left: 'عاد المساعد لخدمتك.',
  waitingAgain: 'سيرد عليك زميل آخر من فريقنا هنا بعد قليل.',
  closed: 'انتهت هذه المحادثة.',
  reopened: 'تستمر هذه المحادثة.',
  away: 'لا أحد متاح الآن. اترك بيانات التواصل وسنتواصل معك.',
  fileReceived: 'شكرًا لك، وصل ملفك إلى فريقنا.',
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
  reply: {
    subject: (site) => `ردّ ${site} عليك`,
    text: (at) =>
      `مرحبًا،\n\nردّ ${at.site} في محادثتك.\n\n${at.said}\n\nأجب من هنا خلال 7 أيام:\n${at.link}\n\nإن لم تراسل ${at.site} فتجاهل هذه الرسالة.\n`,
  },
  leadCode: {
    subject: (code) => `رمزك هو ${code}`,
    text: ({ site, code }) =>
      `رمزك لدى ${site} هو ${code}. وهو صالح 15 دقيقة.\n\nإن لم تطلبه فتجاهل هذه الرسالة.\n`,
  },
}
