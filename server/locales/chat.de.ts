import type { ChatStrings } from './chat.en.ts'

/** German strings of the service in conversations. */
export const de: ChatStrings = {
  language: 'de',
  /** A quick reply; sent as a message it asks for a person. */
  talkToPerson: 'Mit einem Menschen sprechen',
  waiting: 'Wir verbinden Sie mit unserem Team. Die Antwort erscheint hier.',
  notified: 'Unser Team ist informiert. Die Antwort erscheint hier.',
  nobodyFree:
    'Gerade ist niemand frei. Hinterlassen Sie Ihre E-Mail-Adresse, oder machen Sie mit dem Assistenten weiter.',
  nobodyFreeWithoutForm: 'Gerade ist niemand frei. Sie können mit dem Assistenten weitermachen.',
  team: (site) => `Team ${site}`,
  joined: (name: string) => `${name} ist jetzt im Chat.`,
  left: 'Der Assistent ist wieder für Sie da.',
  waitingAgain: 'Gleich antwortet Ihnen hier jemand anderes aus unserem Team.',
  closed: 'Dieser Chat wurde beendet.',
  reopened: 'Dieser Chat geht weiter.',
  away: 'Gerade ist niemand frei. Hinterlassen Sie Ihre Kontaktdaten, wir melden uns bei Ihnen.',
  fileReceived: 'Vielen Dank, unser Team hat Ihre Datei erhalten.',
  transcript: {
    subject: (site: string) => `Ihr Chat mit ${site}`,
    intro: (site: string) => `Hier ist Ihr Chat mit ${site}.`,
    link: (at) =>
      `Ein Chat mit ${at.site} sollte an diese Adresse gesendet werden. Sie können ihn ${at.days} Tage lang hier lesen:\n${at.link}\n\nWenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail bitte.\n`,
    visitor: 'Sie',
    assistant: 'Assistent',
    operator: 'Team',
    system: 'Hinweis',
    sources: 'Quellen',
  },
  reply: {
    subject: (site) => `${site} hat Ihnen geantwortet`,
    text: (at) =>
      `Guten Tag,\n\n${at.site} hat Ihnen im Chat geantwortet.\n\n${at.said}\n\nAntworten Sie hier, innerhalb von 7 Tagen:\n${at.link}\n\nWenn Sie ${at.site} nicht geschrieben haben, ignorieren Sie diese E-Mail bitte.\n`,
  },
  leadCode: {
    subject: (code) => `${code} ist Ihr Code`,
    text: ({ site, code }) =>
      `Ihr Code für ${site} ist ${code}. Er gilt 15 Minuten.\n\nWenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail bitte.\n`,
  },
}
