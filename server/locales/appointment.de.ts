import type { AppointmentStrings } from './appointment.en.ts'

/** German strings of appointments. */
export const de: AppointmentStrings = {
  language: 'de',
  appointment: 'Termin',
  visitor: {
    booked: {
      subject: (at) => `Ihr Termin bei ${at.site}`,
      text: (at) => `Guten Tag ${at.name},

Ihr Termin ist gebucht:
${at.when}
${at.service}

Termin ändern oder absagen:
${at.link}

${at.site}
`,
    },
    moved: {
      subject: (at) => `Neue Zeit für Ihren Termin bei ${at.site}`,
      text: (at) => `Guten Tag ${at.name},

Ihr Termin hat eine neue Zeit:
${at.when}
${at.service}

Termin ändern oder absagen:
${at.link}

${at.site}
`,
    },
    cancelled: {
      subject: (at) => `Ihr Termin bei ${at.site} wurde abgesagt`,
      text: (at) => `Guten Tag ${at.name},

dieser Termin wurde abgesagt:
${at.when}
${at.service}

${at.site}
`,
    },
  },
  owner: {
    booked: (at) => `Neuer Termin: ${at.name}, ${at.when}`,
    moved: (at) => `Termin verschoben: ${at.name}, ${at.when}`,
    cancelled: (at) => `Termin abgesagt: ${at.name}, ${at.when}`,
    text: (at) => `${at.site}

${at.when}
${at.service}
${at.name}
${at.phone}
${at.email}
`,
  },
  page: {
    title: 'Ihr Termin',
    isCancelled: 'Dieser Termin wurde abgesagt.',
    cancel: 'Termin absagen',
    move: 'Andere Zeit wählen',
    moveButton: 'Termin verschieben',
    none: 'Derzeit ist keine andere Zeit frei.',
    done: 'Ihr Termin wurde geändert.',
    taken: 'Diese Zeit wurde gerade vergeben. Bitte wählen Sie eine andere.',
    tooLate: 'Dieser Termin lässt sich online nicht mehr ändern. Bitte rufen Sie uns an.',
  },
}
