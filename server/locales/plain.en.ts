/** What the conversation page without scripts says, in English. */
export const en = {
  title: 'Chat',
  greeting: 'Hello! What would you like to know?',
  conversation: 'Conversation',
  visitor: 'You',
  assistant: 'Assistant',
  operator: 'Team',
  system: 'Notice',
  sources: 'Sources',
  write: 'Your message',
  send: 'Send',
  again: 'Look for new messages',
  person: 'Talk to a person',
  erase: 'Delete this conversation',
  contact: 'Leave your contact details',
  name: 'Name',
  phone: 'Phone',
  email: 'E-mail',
  consent: 'I agree that you keep these details to get back to me.',
  code: 'The six digits that we sent you',
  submit: 'Send',
  wait: 'That was a lot at once. Please try again in a minute.',
  unpaid:
    'The assistant cannot answer right now. Your message is kept. Leave your contact details and we will get back to you.',
  failed: 'That did not work. Please try again.',
  wrong: 'Something in these details does not fit. Please check phone, e-mail and code.',
  codeSent: 'We have sent six digits to your e-mail address.',
  thanks: 'Thank you! We have your details and will get back to you soon.',
  away: 'Nobody is available right now. Leave your contact details and we will get back to you.',
  erased: 'The conversation has been deleted.',
}

export type PlainWords = typeof en
