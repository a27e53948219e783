import { jwtVerify } from 'jose'
import { z } from 'zod'
import { type Context, transaction } from '../../context.ts'
import { AppError, invalidFields } from '../../http/errors.ts'
import { randomText } from '../../lib/ids.ts'
import { type Actor, recordAudit } from '../../platform/audit/audit.ts'
import type { VisitorCaller } from '../../platform/auth/authenticator.ts'
import type { Identify, Identity } from '../schema.ts'
import { type IdentityRow, findIdentity, saveIdentity } from './store.identities.ts'
import type { TenantRow } from '../../tenants/tenants.ts'

/** The same length as in `addTenant`. */
const SECRET_LENGTH = 40
/** Clock skew that a site's server may have. */
const CLOCK_TOLERANCE_SECONDS = 30

/** A JWT does not pass the check of request bodies: Postgres stores neither NUL nor lone surrogates. */
const claim = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => text.isWellFormed() && !text.includes('\0'))

const Claims = z.object({
  sub: claim(200).min(1),
  name: claim(200).optional(),
  email: claim(254).optional(),
  phone: claim(40).optional(),
})

/**
 * Saves a visitor's identity. Only a token that the site's server has signed verifies it: anyone
 * can write the rest, so a verified identity has what the token says and nothing else. Throws 422 for
 * a token that is wrong, expired or unsigned, and 409 for another person's: this browser has to
 * become a new visitor first, who sees nothing of the earlier one.
 */
export async function identify(
  ctx: Context,
  caller: VisitorCaller,
  tenant: TenantRow,
  given: Identify,
): Promise<Identity> {
  const { token, ...stated } = given
  const claims = token === undefined ? undefined : await verifyIdentityToken(ctx, tenant, token)
  const known = await findIdentity(ctx.db, caller.workspaceId, caller.id)
  // An unverified identity does not replace a verified one.
  if (!claims && known?.verified_at) return serializeIdentity(known)
  const now = ctx.now()
  const row: IdentityRow = {
    visitor_id: caller.id,
    workspace_id: tenant.workspace_id,
    tenant_id: tenant.id,
    subject: claims?.sub ?? null,
    name: (claims ?? stated).name ?? null,
    email: (claims ?? stated).email ?? null,
    phone: (claims ?? stated).phone ?? null,
    verified_at: claims ? now : null,
    updated_at: now,
  }
  if (await saveIdentity(ctx.db, row)) return serializeIdentity(row)
  if (claims) {
    throw new AppError(
      'conflict',
      'The token identifies another person. Get a new visitor token, without `visitor_token`.',
    )
  }
  // The signed identity came in between.
  const saved = await findIdentity(ctx.db, caller.workspaceId, caller.id)
  return serializeIdentity(saved ?? row)
}

async function verifyIdentityToken(
  ctx: Context,
  tenant: TenantRow,
  token: string,
): Promise<z.infer<typeof Claims>> {
  const secret = new TextEncoder().encode(decryptIdentitySecret(ctx, tenant))
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: ['HS256'],
      requiredClaims: ['sub', 'exp'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(ctx.now()),
    })
    return Claims.parse(payload)
  } catch {
    const message = 'must be a JWT (HS256) of this site with sub and exp, and not expired'
    throw invalidFields([{ path: '/token', message }])
  }
}

/** Returns the secret with which the site's server signs identity tokens. */
export function decryptIdentitySecret(ctx: Context, tenant: TenantRow): string {
  return ctx.secrets.decrypt(tenant.identity_secret, tenant.id)
}

/** Replaces the identity secret: tokens signed with the old one are invalid from then on. */
export async function rotateIdentitySecret(
  ctx: Context,
  tenant: TenantRow,
  actor: Actor,
): Promise<string> {
  const secret = randomText(SECRET_LENGTH)
  await transaction(ctx, async (tx) => {
    await tx.db
      .updateTable('tenants')
      .set({ identity_secret: ctx.secrets.encrypt(secret, tenant.id) })
      .where('workspace_id', '=', tenant.workspace_id)
      .where('id', '=', tenant.id)
      .execute()
    await recordAudit(tx, tenant.workspace_id, {
      actor,
      action: 'identity_secret.rotated',
      subject: { type: 'tenant', id: tenant.id },
    })
  })
  return secret
}

export function serializeIdentity(row: IdentityRow): Identity {
  return {
    subject: row.subject,
    name: row.name,
    email: row.email,
    phone: row.phone,
    is_verified: row.verified_at !== null,
  }
}
