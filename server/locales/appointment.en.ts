/** English strings of appointments: mails, calendar entries, and the page of the link. */
export const en = {
  /** The language of these strings, for dates among them. */
  language: 'en',
  appointment: 'Appointment',
  visitor: {
    booked: {
      subject: (at: BookingFields) => `Your appointment at ${at.site}`,
      text: (at: BookingFields) => `Hello ${at.name},

Your appointment is booked:
${at.when}
${at.service}

To move or cancel it:
${at.link}

${at.site}
`,
    },
    moved: {
      subject: (at: BookingFields) => `Your appointment at ${at.site} has a new time`,
      text: (at: BookingFields) => `Hello ${at.name},

Your appointment is now at:
${at.when}
${at.service}

To move or cancel it:
${at.link}

${at.site}
`,
    },
    cancelled: {
      subject: (at: BookingFields) => `Your appointment at ${at.site} is cancelled`,
      text: (at: BookingFields) => `Hello ${at.name},

This appointment is cancelled:
${at.when}
${at.service}

${at.site}
`,
    },
  },
  owner: {
    booked: (at: BookingFields) => `New appointment: ${at.name}, ${at.when}`,
    moved: (at: BookingFields) => `Appointment moved: ${at.name}, ${at.when}`,
    cancelled: (at: BookingFields) => `Appointment cancelled: ${at.name}, ${at.when}`,
    text: (at: BookingFields & { phone: string; email: string }) => `${at.site}

${at.when}
${at.service}
${at.name}
${at.phone}
${at.email}
`,
  },
  page: {
    title: 'Your appointment',
    isCancelled: 'This appointment is cancelled.',
    cancel: 'Cancel the appointment',
    move: 'Choose another time',
    moveButton: 'Move the appointment',
    none: 'There are no other times available at the moment.',
    done: 'Your appointment has been changed.',
    taken: 'This time was just taken. Please choose another one.',
    tooLate: 'It is too late to change this appointment online. Please call us.',
  },
}

interface BookingFields {
  name: string
  site: string
  when: string
  service: string
  link: string
}

export type AppointmentStrings = typeof en
