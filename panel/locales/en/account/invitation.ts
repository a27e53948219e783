export const words = {
  title: 'Join the workspace',
  lead: 'Choose your name and the password with which you will sign in.',
  code: 'Code from the e-mail',
  name: 'Your name',
  nameHint: 'Visitors and colleagues read it.',
  password: 'Password',
  passwordHint: 'At least 8 characters.',
  action: 'Join',
  spent:
    'This invitation was used already, replaced by a newer one, or is too old. Look for a newer e-mail, or ask the person who invited you to invite you again.',
  taken: 'This e-mail address has an account already. Sign in with its password.',
  signIn: 'Sign in',
}
export type Words = typeof words
