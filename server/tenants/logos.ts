import { type Context, transaction } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import { detectImage } from '../lib/image-kinds.ts'
import { type Actor, recordAudit } from '../platform/audit/audit.ts'
import { deleteUnusedLogos, insertLogo } from './store.ts'

/** Logos of a workspace that no site shows: the tries of somebody who is still choosing. */
const MAX_UNUSED = 10

/**
 * Stores a logo and returns its path, which a site's theme takes. The oldest of those that no site
 * shows give way. Throws 415 for bytes that are not a PNG, JPEG or WebP.
 */
export async function addLogo(
  ctx: Context,
  workspaceId: string,
  { bytes, actor }: { bytes: Buffer; actor: Actor },
): Promise<string> {
  const mediaType = detectImage(bytes)
  if (mediaType === undefined) {
    throw new AppError('unsupported_media_type', 'Send a logo as PNG, JPEG or WebP.')
  }
  const id = newId('logo')
  await transaction(ctx, async (tx) => {
    await insertLogo(tx.db, {
      id,
      workspace_id: workspaceId,
      media_type: mediaType,
      data: bytes.toString('base64'),
      created_at: tx.now(),
    })
    await deleteUnusedLogos(tx.db, workspaceId, { besides: id, keep: MAX_UNUSED })
    const subject = { type: 'logo', id }
    await recordAudit(tx, workspaceId, { actor, action: 'logo.uploaded', subject })
  })
  return `/api/v1/logos/${id}`
}
