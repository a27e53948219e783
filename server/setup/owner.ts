import { type Context, type Transaction, transaction } from '../context.ts'
import { DEMO_TENANT } from '../demo/seed.ts'
import { AppError } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import { en } from '../locales/workspace.en.ts'
import { tr } from '../locales/workspace.tr.ts'
import type { Passwords } from '../platform/auth/passwords.ts'
import {
  type NewUser,
  countUsers,
  findUserByEmail,
  insertUser,
  updateName,
} from '../platform/auth/store.ts'
import { findTenant } from '../tenants/tenants.ts'
import { updateWorkspace } from '../workspaces/store.ts'
import { createWorkspace } from '../workspaces/workspaces.ts'

/** The plan of a workspace that its installation's own people use. */
const OWN_PLAN = 'eticaret_pro'
const DEFAULT_LOCALE = 'tr'
const DEFAULT_TIME_ZONE = 'Europe/Istanbul'

/** The first owner of an installation. */
interface OwnerAccount {
  email: string
  /** Empty when it is not known: a part of the address is never taken for a name. */
  name: string
  passwordHash: string
  locale?: string | undefined
  workspaceName?: string | undefined
}

/**
 * Creates an owner: in the demo workspace while it has no members, else in a new workspace. Throws
 * 409 for an e-mail address that is in use.
 */
export async function addOwner(tx: Transaction, owner: OwnerAccount): Promise<NewUser> {
  const { email, name, passwordHash, locale = DEFAULT_LOCALE, workspaceName } = owner
  const demo = await findTenant(tx.db, DEMO_TENANT)
  if (demo && (await countUsers(tx.db, demo.workspace_id)) === 0) {
    const user: NewUser = {
      id: newId('usr'),
      workspace_id: demo.workspace_id,
      email,
      name,
      role: 'owner',
      password_hash: passwordHash,
      created_at: tx.now(),
    }
    if (!(await insertUser(tx.db, user))) {
      throw new AppError('conflict', 'This e-mail address is already in use.')
    }
    const settings = {
      ...(workspaceName === undefined ? {} : { name: workspaceName }),
      ...(owner.locale === undefined ? {} : { locale }),
    }
    if (Object.keys(settings).length > 0) {
      await updateWorkspace(tx.db, demo.workspace_id, settings)
    }
    return user
  }
  const created = await createWorkspace(tx, {
    name: workspaceName ?? defaultWorkspaceName(name, locale),
    plan: OWN_PLAN,
    locale,
    timeZone: DEFAULT_TIME_ZONE,
    monthlyCredits: undefined,
    owner: { email, name, passwordHash },
  })
  if (!created.owner) throw new Error('The workspace was created without its owner.')
  return created.owner
}

/** Returns a name for the workspace of a person, whose name may be empty. */
export function defaultWorkspaceName(name: string, locale: string): string {
  const words = /^tr\b/i.test(locale) ? tr : en
  return name === '' ? words.ownWorkspace : words.workspaceOf(name)
}

/**
 * Creates the owner of the settings unless the e-mail is taken; an owner without a name gets that of
 * the settings. Idempotent, and safe in several processes at once.
 */
export async function seedOwner(ctx: Context, passwords: Passwords): Promise<void> {
  const { owner } = ctx.config
  if (!owner) return
  const email = owner.email.toLowerCase()
  const known = await findUserByEmail(ctx.db, email)
  if (known) {
    if (known.name === '' && owner.name !== '') await updateName(ctx.db, known, owner.name)
    return
  }
  const passwordHash = await passwords.hash(owner.password)
  const made = transaction(ctx, (tx) => addOwner(tx, { email, name: owner.name, passwordHash }))
  await made.catch((error: unknown) => {
    // Another process, started at the same moment, created the owner first.
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error
  })
}
