import type { z } from 'zod'
import type { Context } from '../context.ts'
import { PLANS } from '../platform/auth/plans.ts'
import { findUser, findWorkspace } from '../platform/auth/store.ts'
import { readCredits } from '../credits/ledger.ts'
import { startMonth } from '../credits/month-begin.ts'
import type { Me } from '../credits/schema.ts'

/** Who somebody is, what is left and what the plan has, as `auth/me` and a login answer it. */
export async function serializeMe(
  ctx: Context,
  { id, workspaceId }: { id: string; workspaceId: string },
): Promise<z.infer<typeof Me>> {
  // A plan that was cancelled ends with its month, and the credits are those of the new one already.
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
