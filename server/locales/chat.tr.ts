import type { ChatStrings } from './chat.en.ts'

/** Turkish strings of the service in conversations. */
export const tr: ChatStrings = {
  talkToPerson: 'Bir yetkiliyle görüş',
  waiting: 'Sizi bir yetkiliye bağlıyoruz. Size buradan yanıt verecek.',
  notified: 'Ekibimize haber verdik. Yanıtınızı buradan vereceğiz.',
  nobodyFree: 'Şu anda müsait kimse yok. E-posta adresinizi bırakın ya da asistanla devam edin.',
  nobodyFreeWithoutForm: 'Şu anda müsait kimse yok. Asistanla devam edebilirsiniz.',
  team: (site) => `${site} ekibi`,
  joined: (name: string) => `${name} görüşmeye katıldı.`,
  left: 'Asistan yeniden yanıt veriyor.',
  waitingAgain: 'Başka bir çalışma arkadaşımız birazdan buradan yanıt verecek.',
  closed: 'Bu görüşme kapatıldı.',
  reopened: 'Bu görüşme devam ediyor.',
  away: 'Şu anda kimse müsait değil. İletişim bilgilerinizi bırakırsanız size dönelim.',
  fileReceived: 'Teşekkürler, dosyanız ekibimize ulaştı.',
  transcript: {
    subject: (site: string) => `${site} ile görüşmeniz`,
    intro: (site: string) => `${site} ile görüşmeniz aşağıdadır.`,
    link: (at) =>
      `${at.site} ile yapılan bir görüşmenin bu adrese gönderilmesi istendi. Görüşmeyi ${at.days} gün boyunca buradan okuyabilirsiniz:\n${at.link}\n\nBunu siz istemediyseniz bu iletiyi dikkate almayın.\n`,
    visitor: 'Siz',
    assistant: 'Asistan',
    operator: 'Yetkili',
    system: 'Bilgi',
    sources: 'Kaynaklar',
  },
  reply: {
    subject: (site) => `${site} size yanıt verdi`,
    text: (at) =>
      `Merhaba,\n\n${at.site} sohbetinize yanıt verdi.\n\n${at.said}\n\n7 gün içinde buradan yanıtlayabilirsiniz:\n${at.link}\n\n${at.site} ile siz yazışmadıysanız bu e-postayı dikkate almayın.\n`,
  },
  leadCode: {
    subject: (code: string) => `Kodunuz: ${code}`,
    text: ({ site, code }: { site: string; code: string }) =>
      `${site} için kodunuz: ${code}. Kod 15 dakika geçerlidir.\n\nBu kodu siz istemediyseniz bu iletiyi dikkate almayın.\n`,
  },
}
