import { type Context, transaction } from '../context.ts'
import { HOUR_MS } from '../lib/durations.ts'
import { digestOf, newToken } from '../lib/one-time-token.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Passwords } from '../platform/auth/passwords.ts'
import type { NewUser } from '../platform/auth/store.ts'
import { unauthenticated } from '../platform/auth/tokens.ts'
import { dialectOf } from '../storage/dialect.ts'
import { addOwner, defaultWorkspaceName } from './owner.ts'
import type { FirstOwner } from './schema.ts'
import {
  consumeSetupLinks,
  deleteSetupLinks,
  hasUsers,
  insertSetupLink,
  isSetupLink,
} from './store.ts'

const SETUP_LINK_TTL_MS = HOUR_MS

/**
 * Returns the token of a new link for the first run, good once and for an hour; `undefined` when
 * somebody has an account. On the embedded database a link ends with the process that printed it. On
 * Postgres the links of several processes are good beside each other, until the first one is used.
 */
export async function openSetup(ctx: Context): Promise<string | undefined> {
  const now = ctx.now()
  const isSingleProcess = dialectOf(ctx.db) === 'sqlite'
  const isOpen = !(await hasUsers(ctx.db))
  await deleteSetupLinks(ctx.db, isOpen && !isSingleProcess ? now : undefined)
  if (!isOpen) return undefined
  const token = newToken()
  await insertSetupLink(ctx.db, {
    digest: digestOf(token),
    created_at: now,
    expires_at: now + SETUP_LINK_TTL_MS,
  })
  return token
}

/**
 * Consumes the link of the first run and creates the first owner. Of several calls at once one wins.
 * Throws 401 for a wrong, used or expired token, and once somebody has an account.
 */
export async function createFirstOwner(
  ctx: Context,
  passwords: Passwords,
  { address, ...given }: FirstOwner & { address: string },
): Promise<NewUser> {
  const digest = digestOf(given.token)
  const wrong = () =>
    unauthenticated('This link was used already, or is too old. A restart prints a new one.')
  if (!(await isSetupLink(ctx.db, digest, ctx.now()))) throw wrong()
  const passwordHash = await passwords.hash(given.password)
  return transaction(ctx, async (tx) => {
    const isRight = await consumeSetupLinks(tx.db, digest, tx.now())
    if (!isRight || (await hasUsers(tx.db))) throw wrong()
    const { email, name, locale = 'tr' } = given
    const workspaceName = given.workspace_name ?? defaultWorkspaceName(name, locale)
    const owner = await addOwner(tx, { email, name, passwordHash, locale, workspaceName })
    await recordAudit(tx, owner.workspace_id, {
      actor: { kind: 'user', userId: owner.id, address },
      action: 'setup.completed',
    })
    return owner
  })
}
