import type { Context, Transaction } from '../../context.ts'
import { AppError } from '../../http/errors.ts'
import { constantTimeEqual } from '../../lib/constant-time.ts'
import { detectImage } from '../../lib/image-kinds.ts'
import { newId } from '../../lib/ids.ts'
import type { ImageAnswer } from '../../models/model.ts'
import { type ImageRow, deleteOldImages, findImage, insertImage } from '../store.ts'
import { DAY_MS } from '../../lib/durations.ts'

const IMAGE_RETENTION_MS = 7 * DAY_MS
/** An image in the response of a run. */
interface ImageLink {
  media_type: string
  url: string
}

/**
 * Stores the images of a run in the transaction of its settlement; returns their links, which give
 * access for seven days. Throws 502 for bytes that are not an image.
 */
export async function saveImages(
  tx: Transaction,
  run: { workspaceId: string; hold: { id: string } },
  images: ImageAnswer['images'],
): Promise<ImageLink[]> {
  const links: ImageLink[] = []
  for (const { bytes } of images) {
    const mediaType = detectImage(bytes)
    if (!mediaType) {
      throw new AppError('model_failed', 'The model provider returned data that is not an image.')
    }
    const id = newId('img')
    const expiresAt = tx.now() + IMAGE_RETENTION_MS
    await insertImage(tx.db, {
      id,
      workspace_id: run.workspaceId,
      run_id: run.hold.id,
      media_type: mediaType,
      data: Buffer.from(bytes).toString('base64'),
      created_at: tx.now(),
      expires_at: expiresAt,
    })
    links.push({ media_type: mediaType, url: buildLink(tx, id, expiresAt) })
  }
  return links
}

function buildLink(ctx: Context | Transaction, id: string, expiresAt: number): string {
  const signature = ctx.secrets.digest(signedText(id, expiresAt))
  const path = `/api/v1/images/${id}?expires=${expiresAt}&signature=${signature}`
  return `${ctx.config.publicUrl ?? ''}${path}`
}

function signedText(id: string, expiresAt: number): string {
  return `image:${id}:${expiresAt}`
}

/** Returns the image of a signed link. Throws 404 for an invalid or expired link. */
export async function openImage(
  ctx: Context,
  link: { id: string; expires: number; signature: string },
): Promise<{ row: ImageRow; secondsLeft: number }> {
  const isSigned = ctx.secrets
    .digests(signedText(link.id, link.expires))
    .some((digest) => constantTimeEqual(link.signature, digest))
  const row = isSigned && link.expires > ctx.now() ? await findImage(ctx.db, link.id) : undefined
  if (!row) throw new AppError('not_found', 'This image does not exist, or its link has expired.')
  return { row, secondsLeft: Math.floor((link.expires - ctx.now()) / 1_000) }
}

/** Deletes images whose links have expired. Idempotent. */
export async function expireImages(ctx: Context): Promise<void> {
  await deleteOldImages(ctx.db, ctx.now())
}
