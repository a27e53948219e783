export const words = {
  title: 'Confirm your e-mail address',
  lead: 'From then on you sign in with this address.',
  code: 'Code from the e-mail',
  action: 'Confirm',
  doneTitle: 'Your address is confirmed',
  doneLead: (email: string) => `You sign in with ${email} now.`,
  toPanel: 'Open the panel',
  spent: 'This link was used already, or is too old. Ask for a new one in your account.',
  taken: 'Somebody with this e-mail address has an account already. Choose another one.',
  toAccount: 'Open my account',
}
export type Words = typeof words
