import type { Context, Transaction } from '../../context.ts'
import { mailStrings, queueMail } from '../../mail/mail.ts'
import { oneLine } from '../../lib/text/typed-text.ts'
import type { Role } from '../../http/access.ts'

interface MailRecipient {
  workspaceId: string
  locale: string
  to: string
  name: string
}

/** Queues the mail with a password reset link. */
export async function sendResetMail(
  tx: Transaction,
  to: MailRecipient,
  token: string,
): Promise<void> {
  const words = mailStrings(to.locale).reset
  await send(tx, to, {
    subject: words.subject,
    text: words.text({ name: oneLine(to.name), link: linkTo(tx, 'password', token), token }),
  })
}

/** Queues a notification of a password change, so that the user can react to a change by others. */
export async function sendPasswordChangedMail(tx: Transaction, to: MailRecipient): Promise<void> {
  const words = mailStrings(to.locale).passwordChanged
  await send(tx, to, {
    subject: words.subject,
    text: words.text({ name: oneLine(to.name), link: linkTo(tx, 'password') }),
  })
}

/** Queues the mail with the link that confirms a new address, to that address. */
export async function sendEmailChangeMail(
  tx: Transaction,
  to: MailRecipient,
  token: string,
): Promise<void> {
  const words = mailStrings(to.locale).emailChange
  await send(tx, to, {
    subject: words.subject,
    text: words.text({ name: oneLine(to.name), link: linkTo(tx, 'confirm-email', token), token }),
  })
}

/** Queues a notification of a changed address, to the former one. */
export async function sendEmailChangedMail(
  tx: Transaction,
  to: MailRecipient,
  email: string,
): Promise<void> {
  const words = mailStrings(to.locale).emailChanged
  await send(tx, to, {
    subject: words.subject,
    text: words.text({ name: oneLine(to.name), email }),
  })
}

/** Queues a notification that signing in needs a code, or no longer does. */
export async function sendTwoFactorMail(
  tx: Transaction,
  to: MailRecipient,
  isOn: boolean,
): Promise<void> {
  const words = mailStrings(to.locale).twoFactor
  await send(tx, to, {
    subject: isOn ? words.subject.on : words.subject.off,
    text: words.text({ name: oneLine(to.name), link: linkTo(tx, 'password'), isOn }),
  })
}

/** Queues an invitation to a workspace. */
export async function sendInvitationMail(
  tx: Transaction,
  to: MailRecipient,
  invitation: { inviter: string; workspace: string; role: Role; token: string },
): Promise<void> {
  const words = mailStrings(to.locale).invitation
  const workspace = oneLine(invitation.workspace)
  await send(tx, to, {
    subject: words.subject({ workspace }),
    text: words.text({
      name: oneLine(to.name),
      inviter: oneLine(invitation.inviter),
      workspace,
      role: words.roles[invitation.role],
      link: linkTo(tx, 'invitation', invitation.token),
      token: invitation.token,
    }),
  })
}

async function send(
  tx: Transaction,
  to: MailRecipient,
  mail: { subject: string; text: string },
): Promise<void> {
  const { language } = mailStrings(to.locale)
  await queueMail(tx, { workspaceId: to.workspaceId, to: to.to, language, ...mail })
}

/**
 * Returns the URL of a panel page. The fragment stays in the browser: logs and other sites never
 * see it.
 */
function linkTo(ctx: Pick<Context, 'config'>, page: string, token?: string): string {
  const address = `${ctx.config.publicUrl ?? ''}/panel/${page}`
  return token === undefined ? address : `${address}#token=${token}`
}
