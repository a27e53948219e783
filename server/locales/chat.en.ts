/** English strings of the service in conversations. */
export const en = {
  /** The language of these strings, for the mails that hold them. */
  language: 'en',
  /** A quick reply; as a message, it requests a handoff. */
  talkToPerson: 'Talk to a person',
  waiting: "We're connecting you with our team. The reply will appear here.",
  /** Nobody is online; the team has a mail. */
  notified: "We've told our team. The reply will appear here.",
  /** No operator answered in time, and the bot goes on. */
  nobodyFree: 'Nobody is free right now. Leave your e-mail, or go on with the assistant.',
  nobodyFreeWithoutForm: 'Nobody is free right now. You can go on with the assistant.',
  /** Stands for an operator without a name. */
  team: (site: string) => `${site} team`,
  joined: (name: string) => `${name} joined the conversation.`,
  left: 'The assistant is back.',
  waitingAgain: 'Another member of our team will reply here shortly.',
  closed: 'This conversation has ended.',
  reopened: 'This conversation continues.',
  away: "Nobody is free right now. Leave your contact details and we'll get back to you.",
  fileReceived: 'Thank you. Our team has your file.',
  transcript: {
    subject: (site: string) => `Your conversation with ${site}`,
    intro: (site: string) => `Here is your conversation with ${site}.`,
    link: (at: { site: string; link: string; days: number }) =>
      `Someone asked us to send a conversation with ${at.site} to this address. You can read it here for ${at.days} days:\n${at.link}\n\nIf it wasn't you, please ignore this e-mail.\n`,
    visitor: 'You',
    assistant: 'Assistant',
    operator: 'Team',
    system: 'Notice',
    sources: 'Sources',
  },
  /** The mail with an operator's answer to a visitor who has left. */
  reply: {
    subject: (site: string) => `${site} has replied`,
    text: (at: { site: string; said: string; link: string }) =>
      `Hello,\n\n${at.site} has replied in your conversation.\n\n${at.said}\n\nReply here within 7 days:\n${at.link}\n\nIf you did not write to ${at.site}, please ignore this e-mail.\n`,
  },
  leadCode: {
    subject: (code: string) => `${code} is your code`,
    text: ({ site, code }: { site: string; code: string }) =>
      `Your code for ${site} is ${code}. It is valid for 15 minutes.\n\nIf you did not ask for it, please ignore this e-mail.\n`,
  },
}

export type ChatStrings = typeof en
