import { type Context, transaction } from '../../context.ts'
import { pictureUrl } from '../auth/store.ts'
import { unauthenticated } from '../auth/tokens.ts'
import { AppError } from '../../http/errors.ts'
import { isoTime } from '../../http/pagination.ts'
import { detectImage } from '../../lib/image-kinds.ts'
import { newId } from '../../lib/ids.ts'
import { type Actor, recordAudit } from '../audit/audit.ts'
import type { OwnAccount, AccountPatch, LoginPlace } from './schema.ts'
import { type FamilyRow, deletePicture, findAccount, savePicture, updateAccount } from './store.ts'

/** A member, by id and workspace. */
interface Member {
  id: string
  workspaceId: string
}

/** Returns a member's own account. Throws 401 for a removed member. */
export async function readAccount(ctx: Context, user: Member): Promise<OwnAccount> {
  const row = await findAccount(ctx.db, user, ctx.now())
  if (!row) throw unauthenticated('The session behind this token has ended. Sign in again.')
  return {
    user_id: row.id,
    email: row.email,
    name: row.name,
    locale: row.locale,
    time_zone: row.time_zone,
    picture_url: pictureUrl(row.picture_id),
    pending_email: row.pending_email,
    two_factor: row.two_factor_at !== null,
    recovery_codes_left: row.recovery_codes,
  }
}

/** Changes the given fields of an account. */
export async function changeAccount(
  ctx: Context,
  user: Member,
  { patch, actor }: { patch: AccountPatch; actor: Actor },
): Promise<void> {
  const { name, locale, time_zone } = patch
  const values = {
    ...(name === undefined ? {} : { name }),
    ...(locale === undefined ? {} : { locale }),
    ...(time_zone === undefined ? {} : { time_zone }),
  }
  const fields = Object.keys(values)
  if (fields.length === 0) return
  await transaction(ctx, async (tx) => {
    await updateAccount(tx.db, user, values)
    const subject = { type: 'user', id: user.id }
    await recordAudit(tx, user.workspaceId, {
      actor,
      action: 'account.changed',
      subject,
      details: { fields },
    })
  })
}

/** Replaces the picture, or removes it. Throws 415 for bytes that are not a PNG, JPEG or WebP. */
export async function changePicture(
  ctx: Context,
  user: Member,
  { bytes, actor }: { bytes: Buffer | undefined; actor: Actor },
): Promise<void> {
  const mediaType = bytes && detectImage(bytes)
  if (bytes && mediaType === undefined) {
    throw new AppError('unsupported_media_type', 'Send a picture as PNG, JPEG or WebP.')
  }
  await transaction(ctx, async (tx) => {
    const id = bytes && newId('pic')
    if (id !== undefined && mediaType !== undefined) {
      await savePicture(tx.db, {
        id,
        user_id: user.id,
        media_type: mediaType,
        data: bytes?.toString('base64') ?? '',
        created_at: tx.now(),
      })
    } else await deletePicture(tx.db, user.id)
    await updateAccount(tx.db, user, { picture_id: id ?? null })
    await recordAudit(tx, user.workspaceId, {
      actor,
      action: 'account.changed',
      subject: { type: 'user', id: user.id },
      details: { fields: ['picture'] },
    })
  })
}

/** Returns a login as its owner sees it. */
export function serializeLoginPlace(row: FamilyRow, currentId: string | undefined): LoginPlace {
  return {
    session_id: row.id,
    device: row.device ?? 'Unknown device',
    address: row.address,
    created_at: isoTime(row.created_at),
    last_used_at: isoTime(row.last_used_at ?? row.created_at),
    current: row.id === currentId,
  }
}
