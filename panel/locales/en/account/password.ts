export const words = {
  title: 'Choose a new password',
  lead: 'It takes effect at once and ends every login that you have.',
  code: 'Code from the e-mail',
  password: 'New password',
  passwordHint: 'At least 8 characters.',
  action: 'Set the password',
  doneTitle: 'Your new password is set',
  doneLead: 'Sign in with it. Every other login has ended.',
  signIn: 'Sign in',
  spent: 'This link was used already, or is too old. Ask for a new one below.',
  resendTitle: 'No code, or is yours too old?',
  email: 'E-mail',
  resend: 'Send a new link',
  mailed: 'If the address has an account, a link is on its way. It works for 30 minutes.',
}
export type Words = typeof words
