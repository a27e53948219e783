import { createHash, randomBytes } from 'node:crypto'
import { type Context, transaction } from '../context.ts'
import { newId } from '../lib/ids.ts'
import type { TokenAnswer } from './schema.ts'
import {
  endFamily,
  findRefreshToken,
  insertFamily,
  insertRefreshToken,
  spendRefreshToken,
} from './store.ts'
import { type Tokens, USER_TOKEN_SECONDS, refused } from './tokens.ts'

const REFRESH_DAYS = 30
const DAY_MS = 86_400_000

interface Person {
  id: string
  workspaceId: string
}

/** Opens a family of tokens for someone whose password was right. */
export async function openFamily(
  ctx: Context,
  tokens: Tokens,
  person: Person,
): Promise<TokenAnswer> {
  const familyId = newId('fam')
  const refreshToken = newRefreshToken()
  const now = ctx.now()
  const expiresAt = now + REFRESH_DAYS * DAY_MS
  await transaction(ctx, async (tx) => {
    await insertFamily(tx.db, {
      id: familyId,
      user_id: person.id,
      workspace_id: person.workspaceId,
      created_at: now,
      expires_at: expiresAt,
    })
    await insertRefreshToken(tx.db, {
      digest: digestOf(refreshToken),
      family_id: familyId,
      created_at: now,
      expires_at: expiresAt,
    })
  })
  return answerWith(tokens, { ...person, familyId }, refreshToken)
}

/**
 * Trades a refresh token for new ones. Each is good once: a spent one that comes back ends its
 * whole family, access tokens included, because somebody has a copy.
 */
export async function renewFamily(
  ctx: Context,
  tokens: Tokens,
  refreshToken: string,
): Promise<TokenAnswer> {
  const next = newRefreshToken()
  const now = ctx.now()
  const person = await transaction(ctx, async (tx) => {
    const found = await findRefreshToken(tx.db, [digestOf(refreshToken)])
    if (!found || found.ended_at !== null || found.expires_at <= now) return undefined
    if (!(await spendRefreshToken(tx.db, found.digest, now))) {
      await endFamily(tx.db, found.family_id, now)
      return undefined
    }
    await insertRefreshToken(tx.db, {
      digest: digestOf(next),
      family_id: found.family_id,
      created_at: now,
      expires_at: found.expires_at,
    })
    return { id: found.user_id, workspaceId: found.workspace_id, familyId: found.family_id }
  })
  if (!person) throw refused('The refresh token is not good any more. Sign in again.')
  return answerWith(tokens, person, next)
}

async function answerWith(
  tokens: Tokens,
  person: Person & { familyId: string },
  refreshToken: string,
): Promise<TokenAnswer> {
  return {
    access_token: await tokens.forUser(person),
    token_type: 'Bearer',
    expires_in: USER_TOKEN_SECONDS,
    refresh_token: refreshToken,
  }
}

function newRefreshToken(): string {
  return randomBytes(32).toString('base64url')
}

/** 256 random bits need no slow hash. */
function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
