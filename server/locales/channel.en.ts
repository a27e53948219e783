/** What the service itself says in messaging apps, in English. */
export const en = {
  /** In the place of what operators cannot be shown. */
  notText: '(a message that is not text)',
  onlyText: 'I can only read text messages. Please write it in words.',
  /** When somebody opens the conversation without a word of their own. */
  welcome: (site: string) => `Hello! Ask me anything about ${site}.`,
  /** What a page shows as buttons. */
  choices: (choices: readonly string[]) =>
    `You can also write: ${choices.map((choice) => `“${choice}”`).join(', ')}`,
  /** When there is no answer to be had now; the message is kept. */
  noAnswer: 'Thank you for your message. We have received it and will get back to you.',
}

export type ChannelStrings = typeof en
