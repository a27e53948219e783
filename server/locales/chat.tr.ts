import type { ChatStrings } from './chat.en.ts'

/** Turkish strings of the service in conversations. */
export const tr: ChatStrings = {
  talkToPerson: 'Bir yetkiliyle görüş',
  waiting: 'Sizi bir yetkiliye bağlıyoruz. Size buradan yanıt verecek.',
  team: (site) => `${site} ekibi`,
  joined: (name: string) => `${name} görüşmeye katıldı.`,
  left: 'Asistan yeniden yanıt veriyor.',
  waitingAgain: 'Başka bir çalışma arkadaşımız birazdan buradan yanıt verecek.',
  closed: 'Bu görüşme kapatıldı.',
  reopened: 'Bu görüşme devam ediyor.',
  away: 'Şu anda kimse müsait değil. İletişim bilgilerinizi bırakırsanız size dönelim.',
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
  leadCode: {
    subject: (code: string) => `Kodunuz: ${code}`,
    text: ({ site, code }: { site: string; code: string }) =>
      `${site} için kodunuz: ${code}. Kod 15 dakika geçerlidir.\n\nBu kodu siz istemediyseniz bu iletiyi dikkate almayın.\n`,
  },
}
