import type { ChatStrings } from './chat.en.ts'

/** Turkish strings of the service in conversations. */
export const tr: ChatStrings = {
  language: 'tr',
  talkToPerson: 'Müşteri temsilcisine bağlan',
  waiting: 'Sizi bir müşteri temsilcisine bağlıyoruz. Size buradan yanıt verecek.',
  notified: 'Ekibimize haber verdik. Size buradan yanıt vereceğiz.',
  nobodyFree:
    'Şu anda müsait temsilcimiz yok. E-posta adresinizi bırakın ya da asistanla devam edin.',
  nobodyFreeWithoutForm: 'Şu anda müsait temsilcimiz yok. Asistanla devam edebilirsiniz.',
  team: (site) => `${site} ekibi`,
  joined: (name: string) => `${name} sohbete katıldı.`,
  left: 'Asistan yeniden sizinle.',
  waitingAgain: 'Birazdan başka bir temsilcimiz buradan yanıt verecek.',
  closed: 'Bu sohbet sona erdi.',
  reopened: 'Bu sohbet devam ediyor.',
  away: 'Şu anda müsait temsilcimiz yok. İletişim bilgilerinizi bırakın, size dönelim.',
  fileReceived: 'Teşekkürler, dosyanız ekibimize ulaştı.',
  transcript: {
    subject: (site: string) => `${site} ile sohbetiniz`,
    intro: (site: string) => `${site} ile sohbetiniz aşağıda.`,
    link: (at) =>
      `${at.site} ile yapılan bir sohbetin bu adrese gönderilmesi istendi. Sohbeti ${at.days} gün boyunca buradan okuyabilirsiniz:\n${at.link}\n\nBunu siz istemediyseniz bu e-postayı dikkate almayın.\n`,
    visitor: 'Siz',
    assistant: 'Asistan',
    operator: 'Temsilci',
    system: 'Bilgi',
    sources: 'Kaynaklar',
  },
  reply: {
    subject: (site) => `${site} size yanıt verdi`,
    text: (at) =>
      `Merhaba,\n\n${at.site} sohbette size yanıt verdi.\n\n${at.said}\n\n7 gün içinde buradan yanıtlayabilirsiniz:\n${at.link}\n\n${at.site} ile siz yazışmadıysanız bu e-postayı dikkate almayın.\n`,
  },
  leadCode: {
    subject: (code: string) => `Kodunuz: ${code}`,
    text: ({ site, code }: { site: string; code: string }) =>
      `${site} için kodunuz: ${code}. Kod 15 dakika geçerlidir.\n\nBu kodu siz istemediyseniz bu e-postayı dikkate almayın.\n`,
  },
}
