/** English strings of the service in conversations. */
export const en = {
  /** A quick reply; as a message, it requests a handoff. */
  talkToPerson: 'Talk to a person',
  waiting: 'You are being connected with a person. They will answer here.',
  /** Nobody is online; the team has a mail. */
  notified: 'The team has been told. Somebody will answer you here.',
  /** No operator answered in time, and the bot goes on. */
  nobodyFree: 'Nobody is free right now. Leave your e-mail, or go on with the assistant.',
  nobodyFreeWithoutForm: 'Nobody is free right now. You can go on with the assistant.',
  /** Stands for an operator without a name. */
  team: (site: string) => `${site} team`,
  joined: (name: string) => `${name} joined the conversation.`,
  left: 'The assistant answers again.',
  waitingAgain: 'Another colleague will answer here shortly.',
  closed: 'This conversation was closed.',
  reopened: 'This conversation goes on.',
  away: 'Nobody is available right now. Please leave your contact details and we will get back to you.',
  fileReceived: 'Thank you, the team has your file.',
  transcript: {
    subject: (site: string) => `Your conversation with ${site}`,
    intro: (site: string) => `Here is your conversation with ${site}.`,
    link: (at: { site: string; link: string; days: number }) =>
      `Somebody asked for a conversation with ${at.site} to be sent to this address. You can read it here for ${at.days} days:\n${at.link}\n\nIf it was not you, ignore this mail.\n`,
    visitor: 'You',
    assistant: 'Assistant',
    operator: 'Operator',
    system: 'Notice',
    sources: 'Sources',
  },
  /** The mail with an operator's answer to a visitor who has left. */
  reply: {
    subject: (site: string) => `${site} has answered you`,
    text: (at: { site: string; said: string; link: string }) =>
      `Hello,\n\n${at.site} has answered in your conversation.\n\n${at.said}\n\nAnswer here, within 7 days:\n${at.link}\n\nIf you did not write to ${at.site}, ignore this mail.\n`,
  },
  leadCode: {
    subject: (code: string) => `${code} is your code`,
    text: ({ site, code }: { site: string; code: string }) =>
      `Your code for ${site} is ${code}. It is good for 15 minutes.\n\nIf you did not ask for it, ignore this mail.\n`,
  },
}

export type ChatStrings = typeof en
