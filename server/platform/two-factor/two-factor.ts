import { createHash, randomBytes } from 'node:crypto'
import { type Context, type Transaction, transaction } from '../../context.ts'
import { AppError, invalidFields } from '../../http/errors.ts'
import { randomText } from '../../lib/ids.ts'
import { findTimeStep, toBase32 } from './totp.ts'
import { type Actor, recordAudit } from '../audit/audit.ts'
import {
  type TwoFactorRow,
  confirmSecret,
  consumeRecoveryCode,
  consumeStep,
  deleteTwoFactor,
  findTwoFactor,
  savePendingSecret,
  saveRecoveryCodes,
} from './store.ts'

/** The length that RFC 4226 recommends. */
const SECRET_BYTES = 20
const ISSUER = 'Sohbet'
const RECOVERY_CODES = 10
/** 16 random letters and digits are 95 bits, which need no slow hash. */
const RECOVERY_CODE_LENGTH = 16
const GROUP_LENGTH = 4

/** The actor of a change of two-factor codes, and its mail, queued in the same transaction. */
interface TwoFactorChange {
  actor: Actor
  notify: (tx: Transaction) => Promise<void>
}

/** The person whose second factor is meant. */
interface TwoFactorUser {
  id: string
  workspaceId: string
  email: string
}

/**
 * Creates a secret that is not asked for until `confirmTwoFactor`; replaces an earlier one without a
 * confirmation. Throws 409 when codes are on already.
 */
export async function startTwoFactor(
  ctx: Context,
  user: TwoFactorUser,
): Promise<{ secret: string; otpauth_url: string }> {
  const bytes = randomBytes(SECRET_BYTES)
  const isSaved = await savePendingSecret(ctx.db, {
    user_id: user.id,
    secret: ctx.secrets.encrypt(bytes.toString('base64url'), user.id),
    last_step: 0,
    created_at: ctx.now(),
  })
  if (!isSaved) {
    throw new AppError('conflict', 'Two-factor codes are already on. Switch them off first.')
  }
  const secret = toBase32(bytes)
  const label = `${encodeURIComponent(ISSUER)}:${encodeURIComponent(user.email)}`
  return { secret, otpauth_url: `otpauth://totp/${label}?secret=${secret}&issuer=${ISSUER}` }
}

/**
 * Switches codes on with the first one, and returns the recovery codes. Throws 422 for a wrong code,
 * and 409 without a secret that waits for one.
 */
export async function confirmTwoFactor(
  ctx: Context,
  user: TwoFactorUser,
  { code, actor, notify }: TwoFactorChange & { code: string },
): Promise<string[]> {
  return transaction(ctx, async (tx) => {
    const row = await findTwoFactor(tx.db, user.id)
    if (!row || row.confirmed_at !== null) {
      throw new AppError('conflict', 'No secret is waiting for a confirmation. Create one first.')
    }
    if (!(await isCurrentCode(tx, row, code))) {
      throw invalidFields([{ path: '/code', message: 'is not the code that the app shows now' }])
    }
    if (!(await confirmSecret(tx.db, user.id, tx.now()))) {
      throw new AppError('conflict', 'Two-factor codes are already on.')
    }
    await recordAudit(tx, user.workspaceId, { actor, action: 'two_factor.enabled' })
    await notify(tx)
    return issueRecoveryCodes(tx, user.id)
  })
}

/** Switches codes off. Throws 409 when they are off. */
export async function removeTwoFactor(
  ctx: Context,
  user: TwoFactorUser,
  { actor, notify }: TwoFactorChange,
): Promise<void> {
  await transaction(ctx, async (tx) => {
    if (!(await deleteTwoFactor(tx.db, user.id))) throw codesAreOff()
    await recordAudit(tx, user.workspaceId, { actor, action: 'two_factor.disabled' })
    await notify(tx)
  })
}

/** Replaces the recovery codes and returns them. Throws 409 when codes are off. */
export async function replaceRecoveryCodes(
  ctx: Context,
  user: TwoFactorUser,
  actor: Actor,
): Promise<string[]> {
  return transaction(ctx, async (tx) => {
    const row = await findTwoFactor(tx.db, user.id)
    if (!row || row.confirmed_at === null) throw codesAreOff()
    await recordAudit(tx, user.workspaceId, { actor, action: 'recovery_codes.replaced' })
    return issueRecoveryCodes(tx, user.id)
  })
}

/** Returns whether signing in needs a code besides the password. */
export async function needsCode(ctx: Context, userId: string): Promise<boolean> {
  const row = await findTwoFactor(ctx.db, userId)
  return row !== undefined && row.confirmed_at !== null
}

/**
 * Consumes a code of the app or a recovery code; each is accepted once. Returns false for a wrong or
 * used one.
 */
export async function tryConsumeCode(ctx: Context, userId: string, code: string): Promise<boolean> {
  return transaction(ctx, async (tx) => {
    const row = await findTwoFactor(tx.db, userId)
    if (!row || row.confirmed_at === null) return false
    if (await isCurrentCode(tx, row, code)) return true
    return consumeRecoveryCode(tx.db, userId, digestOfRecoveryCode(userId, code))
  })
}

async function isCurrentCode(tx: Transaction, row: TwoFactorRow, code: string): Promise<boolean> {
  const secret = Buffer.from(tx.secrets.decrypt(row.secret, row.user_id), 'base64url')
  const step = findTimeStep(secret, code.replaceAll(/\s/g, ''), {
    now: tx.now(),
    lastStep: row.last_step,
  })
  return step !== undefined && consumeStep(tx.db, row, step)
}

async function issueRecoveryCodes(tx: Transaction, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  const digests = codes.map((code) => digestOfRecoveryCode(userId, code))
  await saveRecoveryCodes(tx.db, userId, digests)
  return codes
}

/** Returns a code like `7Hqk-2mPz-…`. */
function newRecoveryCode(): string {
  const text = randomText(RECOVERY_CODE_LENGTH)
  return (text.match(new RegExp(`.{${GROUP_LENGTH}}`, 'g')) ?? []).join('-')
}

/** Ignores the dashes and spaces of a typed code. */
function digestOfRecoveryCode(userId: string, code: string): string {
  const letters = code.replaceAll(/[\s-]/g, '')
  return createHash('sha256').update(`${userId}:${letters}`).digest('base64url')
}

function codesAreOff(): AppError {
  return new AppError('conflict', 'Two-factor codes are off. Switch them on first.')
}
