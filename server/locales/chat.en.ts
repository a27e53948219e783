/** English strings of the service in conversations. */
export const en = {
  /** A quick reply; as a message, it requests a handoff. */
  talkToPerson: 'Talk to a person',
  waiting: 'You are being connected with a person. They will answer here.',
  /** Stands for an operator without a name. */
  team: (site: string) => `${site} team`,
  joined: (name: string) => `${name} joined the conversation.`,
  left: 'The assistant answers again.',
  waitingAgain: 'Another colleague will answer here shortly.',
  closed: 'This conversation was closed.',
  reopened: 'This conversation goes on.',
  away: 'Nobody is available right now. Please leave your contact details and we will get back to you.',
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
  leadCode: {
    subject: (code: string) => `${code} is your code`,
    text: ({ site, code }: { site: string; code: string }) =>
      `Your code for ${site} is ${code}. It is good for 15 minutes.\n\nIf you did not ask for it, ignore this mail.\n`,
  },
}

export type ChatStrings = typeof en
