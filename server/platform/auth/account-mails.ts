import type { Context, Transaction } from '../../context.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { countMail, mailLimitError } from '../../mail/limits.ts'
import { mailStrings, queueMail } from '../../mail/mail.ts'
import { type PlanId, PLAN_RANKS } from './plans.ts'
import { oneLine, withoutLinks } from '../../lib/text/typed-text.ts'
import type { Role } from '../../http/access.ts'

/** Mails of a day that members of a workspace cause to addresses of their choice, by plan. */
const MAX_OF_MEMBERS = [50, 50, 200] as const
/** Those of a day to one address: from one workspace, and from all. */
const MAX_TO_ADDRESS_FROM_WORKSPACE = 5
const MAX_TO_ADDRESS = 10

interface MailRecipient {
  workspaceId: string
  locale: string
  to: string
  name: string
}

/**
 * Counts a mail that a member causes to an address that nobody has proved: an invitation, or the
 * confirmation of an address. Throws 429 at a limit.
 */
export async function countMemberMail(
  tx: Transaction,
  { workspaceId, plan, to }: { workspaceId: string; plan: PlanId; to: string },
): Promise<void> {
  const address = to.toLowerCase()
  const waitMs = await countMail(tx, [
    { of: `members ${workspaceId}`, max: MAX_OF_MEMBERS[PLAN_RANKS[plan]], ms: DAY_MS },
    { of: `members ${workspaceId} ${address}`, max: MAX_TO_ADDRESS_FROM_WORKSPACE, ms: DAY_MS },
    { of: `members to ${address}`, max: MAX_TO_ADDRESS, ms: DAY_MS },
  ])
  if (waitMs > 0) throw mailLimitError(waitMs)
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
    text: words.text({
      name: withoutLinks(to.name),
      link: linkTo(tx, 'confirm-email', token),
      token,
    }),
  })
}

/**
 * Queues a notification to the owner of an account that somebody asked for the account's address. It
 * is the mail of `sendEmailChangeMail` where the address is in use.
 */
export async function sendEmailInUseMail(tx: Transaction, to: MailRecipient): Promise<void> {
  const words = mailStrings(to.locale).emailInUse
  await send(tx, to, {
    subject: words.subject,
    text: words.text({ name: oneLine(to.name), link: linkTo(tx, 'password') }),
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

/**
 * Queues an invitation to a workspace. What its members typed reaches a stranger, so it has no links.
 */
export async function sendInvitationMail(
  tx: Transaction,
  to: MailRecipient,
  invitation: {
    inviter: { name: string; email: string }
    workspace: string
    role: Role
    token: string
  },
): Promise<void> {
  const words = mailStrings(to.locale).invitation
  const workspace = withoutLinks(invitation.workspace)
  await send(tx, to, {
    subject: words.subject({ workspace }),
    text: words.text({
      name: withoutLinks(to.name),
      inviter: invitation.inviter.name
        ? withoutLinks(invitation.inviter.name)
        : invitation.inviter.email,
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
