export const words = {
  title: 'Sign in',
  email: 'E-mail',
  password: 'Password',
  code: 'Code from your authenticator app',
  codeHint: 'Or one of your recovery codes.',
  action: 'Sign in',
  wrong: 'E-mail or password is wrong.',
  wrongCode: 'The code is wrong or too old.',
  forgot: 'Forgot password?',
  forgotTitle: 'Forgot your password?',
  forgotLead: 'We e-mail you a link with which you choose a new one.',
  sendLink: 'Send link',
  backToSignIn: 'Back to sign-in',
  mailed: 'Check your e-mail',
  mailedLead: 'If the address has an account, a link is on its way. It works for 30 minutes.',
}
export type Words = typeof words
