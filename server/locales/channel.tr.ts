import type { ChannelStrings } from './channel.en.ts'

/** Turkish strings of the service in messaging apps. */
export const tr: ChannelStrings = {
  notText: '(metin olmayan bir mesaj)',
  onlyText: 'Yalnızca metin mesajlarını okuyabiliyorum. Lütfen yazarak anlatın.',
  welcome: (site) => `Merhaba! ${site} hakkında merak ettiğinizi sorabilirsiniz.`,
  choices: (choices) =>
    `Şunu da yazabilirsiniz: ${choices.map((choice) => `“${choice}”`).join(', ')}`,
  noAnswer: 'Mesajınız için teşekkürler. Aldık, size geri döneceğiz.',
}
