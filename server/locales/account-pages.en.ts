/** English strings of accounts: pages that mails link to, and names of workspaces. */
export const en = {
  password: {
    title: 'Choose a new password',
    lead: 'It takes effect at once, and ends every login that you have.',
    button: 'Set the password',
    done: 'Your new password is set. You can sign in with it.',
    spent: 'This code was used already, or is too old. Ask for a new one below.',
  },
  invitation: {
    title: 'Join a workspace on Sohbet',
    lead: 'Choose the password with which you will sign in.',
    button: 'Join',
    done: 'Welcome. You can sign in with your e-mail address and this password.',
    spent:
      'This invitation was used already, replaced by a newer one, or is too old. Look for a newer mail, or ask the person who invited you to invite you again.',
  },
  forgotten: {
    title: 'You have no code, or yours is too old?',
    email: 'Your e-mail address',
    button: 'Send me a new one',
    done: 'If there is an account with this address, a mail is on its way.',
  },
  /** Names of a new workspace: with the owner's name, and without one. */
  workspaceOf: (name: string) => `${name}'s workspace`,
  ownWorkspace: 'My workspace',
  code: 'Code from the mail',
  name: 'Your name',
  newPassword: 'New password, at least 8 characters',
  problems: {
    validation_failed: 'Please check what you have written: a password has 8 to 200 characters.',
    conflict: 'Somebody with this e-mail address has an account already.',
    rate_limited: 'That was too often. Please try again in a minute.',
  },
}

export type AccountPageStrings = typeof en
