import type { ChatStrings } from './chat.en.ts'

/** German strings of the service in conversations. */
export const de: ChatStrings = {
  /** A quick reply; sent as a message it asks for a person. */
  talkToPerson: 'Mit einem Menschen sprechen',
  waiting: 'Sie werden mit einem Menschen verbunden. Die Antwort kommt hier.',
  notified: 'Unser Team weiß Bescheid. Die Antwort kommt hier.',
  nobodyFree:
    'Gerade ist niemand frei. Hinterlassen Sie Ihre E-Mail-Adresse, oder machen Sie mit dem Assistenten weiter.',
  nobodyFreeWithoutForm: 'Gerade ist niemand frei. Sie können mit dem Assistenten weitermachen.',
  team: (site) => `Team ${site}`,
  joined: (name: string) => `${name} ist jetzt in der Unterhaltung.`,
  left: 'Der Assistent antwortet wieder.',
  waitingAgain: 'Gleich antwortet hier jemand anderes aus dem Team.',
  closed: 'Diese Unterhaltung wurde beendet.',
  reopened: 'Diese Unterhaltung geht weiter.',
  away: 'Gerade ist niemand da. Bitte hinterlassen Sie Ihre Kontaktdaten, wir melden uns bei Ihnen.',
  fileReceived: 'Danke, unser Team hat Ihre Datei.',
  transcript: {
    subject: (site: string) => `Ihre Unterhaltung mit ${site}`,
    intro: (site: string) => `Hier ist Ihre Unterhaltung mit ${site}.`,
    link: (at) =>
      `Ein Gespräch mit ${at.site} sollte an diese Adresse geschickt werden. Sie können es ${at.days} Tage lang hier lesen:\n${at.link}\n\nWenn Sie das nicht waren, ignorieren Sie diese E-Mail.\n`,
    visitor: 'Sie',
    assistant: 'Assistent',
    operator: 'Team',
    system: 'Hinweis',
    sources: 'Quellen',
  },
  reply: {
    subject: (site) => `${site} hat Ihnen geantwortet`,
    text: (at) =>
      `Guten Tag,\n\n${at.site} hat in Ihrer Unterhaltung geantwortet.\n\n${at.said}\n\nAntworten Sie hier, innerhalb von 7 Tagen:\n${at.link}\n\nWenn Sie ${at.site} nicht geschrieben haben, ignorieren Sie diese Mail.\n`,
  },
  leadCode: {
    subject: (code) => `${code} ist Ihr Code`,
    text: ({ site, code }) =>
      `Ihr Code für ${site} ist ${code}. Er gilt 15 Minuten.\n\nWenn Sie ihn nicht angefordert haben, ignorieren Sie diese Mail.\n`,
  },
}
