/** English strings of mails, and of the page that shows them in development. */
export const en = {
  /** The language of these strings. */
  language: 'en',
  invitation: {
    subject: (at: { workspace: string }) => `Invitation to ${at.workspace}`,
    text: (at: Invitation) => `Hello${at.name ? ` ${at.name}` : ''},

${at.inviter} invites you to ${at.workspace} on Sohbet, as ${at.role}.

Choose a password here, within 7 days:
${at.link}

Or use this code: ${at.token}

If you were not expecting this, you can ignore this e-mail: nothing will happen.
`,
    roles: { owner: 'an owner', admin: 'an administrator', operator: 'an operator' },
  },
  reset: {
    subject: 'A new password for Sohbet',
    text: (at: Link & { token: string }) => `Hello${at.name ? ` ${at.name}` : ''},

Somebody asked for a new password for your account. If it was you, choose one here, within 30 minutes:
${at.link}

Or use this code: ${at.token}

If it was not you, ignore this e-mail: your password stays as it is.
`,
  },
  emailChange: {
    subject: 'Confirm your new address for Sohbet',
    text: (at: Link & { token: string }) => `Hello${at.name ? ` ${at.name}` : ''},

You want to sign in to Sohbet with this address from now on. Confirm it here, within a day:
${at.link}

Or use this code: ${at.token}

If it was not you, ignore this e-mail: nothing will change.
`,
  },
  emailInUse: {
    subject: 'Your address for Sohbet is in use',
    text: (at: Link) => `Hello${at.name ? ` ${at.name}` : ''},

Somebody asked to use this address for another account on Sohbet. It belongs to your account, so nothing was changed.

If it was you and you no longer know your password, choose a new one here:
${at.link}

If it was not you, ignore this mail: nothing will change.
`,
  },
  emailChanged: {
    subject: 'Your address for Sohbet was changed',
    text: (at: { name: string; email: string }) => `Hello${at.name ? ` ${at.name}` : ''},

You now sign in to Sohbet with ${at.email}, and no longer with this address.

If it was not you, contact an owner of your workspace at once.
`,
  },
  twoFactor: {
    subject: {
      on: 'Signing in to Sohbet now needs a code',
      off: 'Signing in to Sohbet no longer needs a code',
    },
    text: (at: Link & { isOn: boolean }) => `Hello${at.name ? ` ${at.name}` : ''},

${at.isOn ? 'Codes from an authenticator app were switched on for your account.' : 'Codes from an authenticator app were switched off for your account.'}

If it was not you, choose a new password at once:
${at.link}
`,
  },
  passwordChanged: {
    subject: 'Your password for Sohbet was changed',
    text: (at: Link) => `Hello${at.name ? ` ${at.name}` : ''},

Your password was just changed, and your other devices were signed out.

If it was not you, choose a new one at once:
${at.link}
`,
  },
  workspaceClosing: {
    subject: (at: { workspace: string }) => `${at.workspace} will be erased`,
    text: (at: Closing) => `Hello ${at.name},

${at.actor} closed ${at.workspace}. Its sites are switched off now, and everything in it is erased on ${at.date}: conversations, leads, documents, settings and members.

Until then an owner can open it again:
${at.link}
`,
  },
  creditWarning: {
    subject: (at: { workspace: string }) => `Credits of ${at.workspace} are running low`,
    text: (at: Low) => `Hello ${at.name},

${at.workspace} has ${at.remaining} credits left, less than the ${at.warning} that you set for a warning. The monthly credits renew on ${at.date}.

Where they went:
${at.link}
`,
  },
  test: {
    subject: 'Test e-mail from Sohbet',
    text: (at: { name: string; workspace: string }) => `Hello${at.name ? ` ${at.name}` : ''},

This is the test e-mail that you asked for in ${at.workspace}. E-mails from Sohbet arrive.
`,
  },
  devPage: {
    title: 'Mails that were not sent',
    explanation:
      'There is no SMTP_URL, so mails are shown here, for a day. In production they are not.',
    none: 'There are none.',
    to: 'To',
    subject: 'Subject',
    at: 'At',
    attachments: 'Attachments',
  },
}

interface Link {
  name: string
  link: string
}

interface Closing extends Link {
  actor: string
  workspace: string
  date: string
}

interface Low extends Link {
  workspace: string
  remaining: string
  warning: string
  date: string
}

interface Invitation extends Link {
  inviter: string
  workspace: string
  role: string
  token: string
}

export type MailStrings = typeof en
