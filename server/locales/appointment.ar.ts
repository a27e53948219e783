import type { AppointmentStrings } from './appointment.en.ts'

/** Arabic strings of appointments. */
export const ar: AppointmentStrings = {
  language: 'ar',
  appointment: 'موعد',
  visitor: {
    booked: {
      subject: (at) => `موعدك لدى ${at.site}`,
      text: (at) => `مرحبًا ${at.name}،

تم حجز موعدك:
${at.when}
${at.service}

لتغيير الموعد أو إلغائه:
${at.link}

${at.site}
`,
    },
    moved: {
      subject: (at) => `وقت جديد لموعدك لدى ${at.site}`,
      text: (at) => `مرحبًا ${at.name}،

أصبح موعدك في:
${at.when}
${at.service}

لتغيير الموعد أو إلغائه:
${at.link}

${at.site}
`,
    },
    cancelled: {
      subject: (at) => `أُلغي موعدك لدى ${at.site}`,
      text: (at) => `مرحبًا ${at.name}،

أُلغي هذا الموعد:
${at.when}
${at.service}

${at.site}
`,
    },
  },
  owner: {
    booked: (at) => `موعد جديد: ${at.name}، ${at.when}`,
    moved: (at) => `تغيّر موعد: ${at.name}، ${at.when}`,
    cancelled: (at) => `أُلغي موعد: ${at.name}، ${at.when}`,
    text: (at) => `${at.site}

${at.when}
${at.service}
${at.name}
${at.phone}
${at.email}
`,
  },
  page: {
    title: 'موعدك',
    isCancelled: 'أُلغي هذا الموعد.',
    cancel: 'إلغاء الموعد',
    move: 'اختر وقتًا آخر',
    moveButton: 'تغيير الموعد',
    none: 'لا توجد أوقات أخرى متاحة حاليًا.',
    done: 'تم تغيير موعدك.',
    taken: 'حُجز هذا الوقت للتو. يُرجى اختيار وقت آخر.',
    tooLate: 'لم يعد تغيير هذا الموعد ممكنًا عبر الإنترنت. يُرجى الاتصال بنا.',
  },
}
