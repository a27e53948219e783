import type { Transaction } from '../../context.ts'
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts'
import { countMail, mailLimitError } from '../../mail/limits.ts'
import { type NewMail, queueMail } from '../../mail/mail.ts'
import { withoutLinks } from '../../lib/text/typed-text.ts'
import type { TenantRow } from '../../tenants/tenants.ts'

/** Mails of a day: to one person from one site, to one person from all sites, of one workspace. */
const MAX_TO_PERSON_FROM_TENANT = 6
const MAX_TO_PERSON = 20
/** Mails of a day to an address that sites chose for their notices, which may be anybody's. */
const MAX_TO_SITE = 100
const MAX_OF_WORKSPACE = 500
/** Mails of an hour that one client address causes, on all sites. */
const MAX_OF_CLIENT = 20

/** The site that a mail is from, and who caused the mail. */
export interface MailCause {
  tenant: TenantRow
  /** The limit key of the visitor's device; undefined for members, who have limits of their own. */
  client: string | undefined
}

type Content = Omit<NewMail, 'workspaceId' | 'to'>

/** A mail that a visitor causes. */
export interface VisitorMail<Typed extends Record<string, string>> {
  to: string
  /** The recipient is the site's own choice, with a limit of its own. */
  isToSite?: boolean
  /** The visitor's own texts, by name: `build` receives each on one line and without links. */
  typed: Typed
  build: (typed: Typed) => Content
}

/**
 * Queues a mail that a visitor causes; returns false, and queues nothing, when one of the limits is
 * reached. The counters are keyed digests, and outlive the conversation. Visitors cause mails through
 * this function alone.
 */
export async function tryQueueVisitorMail<Typed extends Record<string, string>>(
  tx: Transaction,
  cause: MailCause,
  { to, isToSite = false, typed, build }: VisitorMail<Typed>,
): Promise<boolean> {
  if ((await count(tx, cause, { to, isToSite })) > 0) return false
  await queue(tx, cause, { to, typed, build })
  return true
}

/** Like `tryQueueVisitorMail`, for a mail that the visitor waits for. Throws 429 at a limit. */
export async function queueVisitorMail<Typed extends Record<string, string>>(
  tx: Transaction,
  cause: MailCause,
  mail: VisitorMail<Typed>,
): Promise<void> {
  const waitMs = await count(tx, cause, mail)
  if (waitMs === 0) return queue(tx, cause, mail)
  throw mailLimitError(waitMs)
}

async function queue<Typed extends Record<string, string>>(
  tx: Transaction,
  cause: MailCause,
  { to, typed, build }: VisitorMail<Typed>,
): Promise<void> {
  const safe = { ...typed }
  for (const name in safe) Object.assign(safe, { [name]: withoutLinks(safe[name] ?? '') })
  await queueMail(tx, { ...build(safe), to, workspaceId: cause.tenant.workspace_id })
}

/** Counts a mail; returns 0, or the milliseconds until it may be sent where a limit is reached. */
async function count(
  tx: Transaction,
  { tenant, client }: MailCause,
  { to, isToSite = false }: { to: string; isToSite?: boolean },
): Promise<number> {
  const { workspace_id: workspaceId, id: tenantId } = tenant
  const address = to.toLowerCase()
  // Like the other limits of addresses, and switched off with them.
  const isClientLimited = client !== undefined && tx.config.limits.default > 0
  return countMail(tx, [
    ...(isClientLimited ? [{ of: `client ${client}`, max: MAX_OF_CLIENT, ms: HOUR_MS }] : []),
    ...(isToSite
      ? [{ of: `site ${address}`, max: MAX_TO_SITE, ms: DAY_MS }]
      : [
          { of: `${tenantId} ${address}`, max: MAX_TO_PERSON_FROM_TENANT, ms: DAY_MS },
          { of: `person ${address}`, max: MAX_TO_PERSON, ms: DAY_MS },
        ]),
    { of: `workspace ${workspaceId}`, max: MAX_OF_WORKSPACE, ms: DAY_MS },
  ])
}
