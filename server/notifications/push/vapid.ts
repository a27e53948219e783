import { z } from 'zod'
import type { Context } from '../../context.ts'
import { findOrAddSecret } from './store.ts'

const NAME = 'vapid'
const Keys = z.object({ publicKey: z.string(), privateKey: z.string() })

/** The installation's key pair for push services (RFC 8292), in base64url. */
export type VapidKeys = z.infer<typeof Keys>

/**
 * Returns the key pair, which is generated once and stored encrypted. All processes of a database have
 * the same one: browsers subscribe with its public key, and a new pair would orphan them.
 */
export async function openVapidKeys(ctx: Context): Promise<VapidKeys> {
  const stored = (await findOrAddSecret(ctx.db, NAME, undefined)) ?? (await addKeys(ctx))
  return Keys.parse(JSON.parse(ctx.secrets.decrypt(stored, NAME)))
}

async function addKeys(ctx: Context): Promise<string> {
  const { default: webPush } = await import('web-push')
  const content = ctx.secrets.encrypt(JSON.stringify(webPush.generateVAPIDKeys()), NAME)
  const stored = await findOrAddSecret(ctx.db, NAME, { content, now: ctx.now() })
  return stored ?? content
}
