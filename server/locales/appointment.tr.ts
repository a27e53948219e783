import type { AppointmentStrings } from './appointment.en.ts'

/** Turkish strings of appointments. */
export const tr: AppointmentStrings = {
  language: 'tr',
  appointment: 'Randevu',
  visitor: {
    booked: {
      subject: (at) => `${at.site} randevunuz`,
      text: (at) => `Merhaba ${at.name},

Randevunuz alındı:
${at.when}
${at.service}

Değiştirmek veya iptal etmek için:
${at.link}

${at.site}
`,
    },
    moved: {
      subject: (at) => `${at.site} randevunuzun yeni saati`,
      text: (at) => `Merhaba ${at.name},

Randevunuzun yeni zamanı:
${at.when}
${at.service}

Değiştirmek veya iptal etmek için:
${at.link}

${at.site}
`,
    },
    cancelled: {
      subject: (at) => `${at.site} randevunuz iptal edildi`,
      text: (at) => `Merhaba ${at.name},

Şu randevu iptal edildi:
${at.when}
${at.service}

${at.site}
`,
    },
  },
  owner: {
    booked: (at) => `Yeni randevu: ${at.name}, ${at.when}`,
    moved: (at) => `Randevu değişti: ${at.name}, ${at.when}`,
    cancelled: (at) => `Randevu iptal edildi: ${at.name}, ${at.when}`,
    text: (at) => `${at.site}

${at.when}
${at.service}
${at.name}
${at.phone}
${at.email}
`,
  },
  page: {
    title: 'Randevunuz',
    isCancelled: 'Bu randevu iptal edildi.',
    cancel: 'Randevuyu iptal et',
    move: 'Başka bir gün ve saat seçin',
    moveButton: 'Randevuyu değiştir',
    none: 'Şu anda başka uygun saat yok.',
    done: 'Randevunuz değiştirildi.',
    taken: 'Bu saat az önce doldu. Lütfen başka bir saat seçin.',
    tooLate: 'Randevunuza az kaldığı için buradan değiştiremezsiniz. Lütfen bizi arayın.',
  },
}
