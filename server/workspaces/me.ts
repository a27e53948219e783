import type { z } from 'zod'
import type { Context } from '../context.ts'
import { ANY_USER } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { requireMember } from '../platform/auth/authenticator.ts'
import { PLANS } from '../platform/auth/plans.ts'
import { findUser, findWorkspace } from '../platform/auth/store.ts'
import { readCredits } from '../credits/ledger.ts'
import { startMonth } from '../credits/month-rollover.ts'
import { Me } from './schema.ts'

const me = {
  config: { access: ANY_USER, pool: 'default' },
  schema: {
    summary: 'Get the caller, the workspace and its credits',
    tags: ['Auth'],
    response: { 200: Me },
  },
} as const

/** The caller's own account. */
export function accountRoutes(app: App, ctx: Context): void {
  app.get('/api/v1/auth/me', me, async (request) => serializeMe(ctx, requireMember(request)))
}

/**
 * Serializes a user with the workspace, its credits and the features of its plan, as `auth/me` and a
 * login respond. Throws for a user without a workspace.
 */
export async function serializeMe(
  ctx: Context,
  { id, workspaceId }: { id: string; workspaceId: string },
): Promise<z.infer<typeof Me>> {
  // The rollover may end a cancelled plan, which the workspace below must already show.
  await startMonth(ctx, workspaceId)
  const user = await findUser(ctx.db, workspaceId, id)
  const workspace = await findWorkspace(ctx.db, workspaceId)
  if (!user || !workspace) throw new Error('The caller has no user or no workspace.')
  const { held: _, ...credits } = await readCredits(ctx, workspaceId)
  return {
    user: {
      id: user.id,
      email: user.email,
      name: user.name,
      plan: workspace.plan,
      role: user.role,
    },
    workspace: { id: workspace.id, name: workspace.name, locale: workspace.locale },
    credits,
    features: [...PLANS[workspace.plan].features],
  }
}
