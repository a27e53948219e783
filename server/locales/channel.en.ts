/** English strings of the service in messaging apps. */
export const en = {
  /** The inbox shows this in place of a message without text. */
  notText: '(a message that is not text)',
  onlyText: 'I can only read text messages. Please write it in words.',
  /** The reply to a start command without a message. */
  welcome: (site: string) => `Hello! Ask me anything about ${site}.`,
  /** Quick replies as text: messaging apps have no buttons here. */
  choices: (choices: readonly string[]) =>
    `You can also write: ${choices.map((choice) => `“${choice}”`).join(', ')}`,
  /** The reply to a stored message that cannot be answered now, such as without credits. */
  noAnswer: 'Thank you for your message. We have received it and will get back to you.',
}

export type ChannelStrings = typeof en
