import { z } from 'zod'
import type { Context } from '../context.ts'
import { AppError, assertOwned } from '../http/errors.ts'
import type { UserCaller } from '../platform/auth/authenticator.ts'
import { findSubscription, type SubscriptionRow } from './store.ts'

export const SubscriptionPath = z.object({ id: z.string().max(64) })

/** The caller's subscription. Throws 404 for an unknown or deleted one, 403 for another workspace's. */
export async function loadSubscription(
  ctx: Context,
  caller: UserCaller,
  id: string,
): Promise<SubscriptionRow> {
  const subscription = await loadSubscriptionOrHistory(ctx, caller, id)
  if (subscription.deleted_at !== null) throw noSubscription()
  return subscription
}

/** The same, but a deleted subscription is there too: its deliveries stay readable. */
export async function loadSubscriptionOrHistory(
  ctx: Context,
  caller: UserCaller,
  id: string,
): Promise<SubscriptionRow> {
  const subscription = await findSubscription(ctx.db, id)
  assertOwned(subscription?.workspace_id, caller.workspaceId, 'subscription')
  if (!subscription) throw noSubscription()
  return subscription
}

/** What a call is told whose subscription is not there, or not any more. */
export function noSubscription(): AppError {
  return new AppError('not_found', 'There is no such subscription.')
}
