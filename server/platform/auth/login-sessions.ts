import { type Context, transaction } from '../../context.ts'
import { DAY_MS, MINUTE_MS } from '../../lib/durations.ts'
import { newId } from '../../lib/ids.ts'
import { digestOf, newToken } from '../../lib/one-time-token.ts'
import { type Actor, recordAudit } from '../audit/audit.ts'
import { clearFailures, lockUser } from './store.accounts.ts'
import {
  type UserRow,
  endFamily,
  findRefreshToken,
  insertFamily,
  insertRefreshToken,
  consumeRefreshToken,
  touchFamily,
} from './store.ts'
import { suspended } from './suspensions.ts'
import { type Tokens, USER_TOKEN_SECONDS, unauthenticated } from './tokens.ts'

const REFRESH_DAYS = 30

/** How somebody signed in: on a page, as a program, or by creating the first account. */
export type LoginWay = 'panel' | 'token' | 'setup'

/** The tokens of a login, with their lifetimes in seconds. */
export interface LoginSession {
  accessToken: string
  seconds: number
  refreshToken: string
  refreshSeconds: number
}

/**
 * Creates a token family for a user whose password was verified. Throws 401 when the password changed
 * during the verification.
 */
export async function createLogin(
  ctx: Context,
  tokens: Tokens,
  user: Pick<UserRow, 'id' | 'workspace_id' | 'password_hash'>,
  from: { address: string; device: string; way: LoginWay; failures: number },
): Promise<LoginSession> {
  const familyId = newId('fam')
  const refreshToken = newToken()
  const now = ctx.now()
  const expiresAt = now + REFRESH_DAYS * DAY_MS
  const person = { id: user.id, workspaceId: user.workspace_id }
  await transaction(ctx, async (tx) => {
    if (!(await lockUser(tx.db, { ...person, passwordHash: user.password_hash }))) {
      throw unauthenticated('The e-mail or the password is wrong.')
    }
    await insertFamily(tx.db, {
      id: familyId,
      user_id: user.id,
      workspace_id: user.workspace_id,
      created_at: now,
      expires_at: expiresAt,
      device: from.device,
      address: from.address,
      last_used_at: now,
    })
    await insertRefreshToken(tx.db, {
      digest: digestOf(refreshToken),
      family_id: familyId,
      created_at: now,
      expires_at: expiresAt,
    })
    const failures = from.failures + (await clearFailures(tx.db, user.id))
    await recordAudit(tx, user.workspace_id, {
      actor: { kind: 'user', userId: user.id, address: from.address },
      action: 'login.succeeded',
      details: { way: from.way, failures },
    })
  })
  return toLoginSession(ctx, tokens, { ...person, familyId }, { refreshToken, expiresAt })
}

/**
 * Rotates a refresh token, which is single use: reuse of a spent token ends its whole family, access
 * tokens included, because the token was copied. Throws 401, and 403 for a suspended workspace.
 */
export async function rotateRefreshToken(
  ctx: Context,
  tokens: Tokens,
  refreshToken: string,
  from: { address: string },
): Promise<LoginSession> {
  const next = newToken()
  const now = ctx.now()
  const found = await transaction(ctx, async (tx) => {
    const known = await findRefreshToken(tx.db, [digestOf(refreshToken)])
    if (!known || known.ended_at !== null || known.expires_at <= now) return undefined
    if (known.suspended_at !== null) throw suspended()
    if (!(await consumeRefreshToken(tx.db, known.digest, now))) {
      await endFamily(tx.db, known.family_id, now)
      await recordAudit(tx, known.workspace_id, {
        actor: { kind: 'user', userId: known.user_id, address: from.address },
        action: 'session.token_reused',
      })
      tx.afterCommit.push(() => tx.streams.checkNow())
      return undefined
    }
    await insertRefreshToken(tx.db, {
      digest: digestOf(next),
      family_id: known.family_id,
      created_at: now,
      expires_at: known.expires_at,
    })
    return known
  })
  if (!found) throw unauthenticated('The refresh token is not good any more. Sign in again.')
  return toLoginSession(
    ctx,
    tokens,
    { id: found.user_id, workspaceId: found.workspace_id, familyId: found.family_id },
    { refreshToken: next, expiresAt: found.expires_at },
  )
}

/** Notes the use of a login, at most once a minute. A failed write refuses nobody. */
export async function touchLogin(
  ctx: Context,
  family: { id: string; workspaceId: string },
  { lastUsedAt, address }: { lastUsedAt: number | null; address: string },
): Promise<void> {
  const now = ctx.now()
  const before = now - MINUTE_MS
  if (lastUsedAt !== null && lastUsedAt >= before) return
  try {
    await touchFamily(ctx.db, family, { now, before, address })
  } catch (error) {
    ctx.log.warn({ event: 'auth.touch_failed', err: error }, 'noting the use of a login failed')
  }
}

/** Revokes a login: its tokens and its open streams. Idempotent. */
export async function revokeLogin(
  ctx: Context,
  actor: Actor,
  family: { id: string; workspaceId: string },
): Promise<void> {
  await transaction(ctx, async (tx) => {
    await endFamily(tx.db, family.id, tx.now())
    await recordAudit(tx, family.workspaceId, { actor, action: 'session.ended' })
    tx.afterCommit.push(() => tx.streams.checkNow())
  })
}

async function toLoginSession(
  ctx: Context,
  tokens: Tokens,
  person: { id: string; workspaceId: string; familyId: string },
  refresh: { refreshToken: string; expiresAt: number },
): Promise<LoginSession> {
  return {
    accessToken: await tokens.forUser(person),
    seconds: USER_TOKEN_SECONDS,
    refreshToken: refresh.refreshToken,
    refreshSeconds: Math.ceil((refresh.expiresAt - ctx.now()) / 1_000),
  }
}
