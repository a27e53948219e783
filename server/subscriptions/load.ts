import { z } from 'zod'
import type { Context } from '../context.ts'
import { AppError, assertOwned } from '../http/errors.ts'
import type { UserCaller } from '../platform/auth/authenticator.ts'
import { findSubscription, type SubscriptionRow } from './store.ts'

export const SubscriptionPath = z.object({ id: z.string().max(64) })

/** Loads the caller's subscription. Throws 404 for an unknown or deleted, 403 for a foreign one. */
export async function loadSubscription(
  ctx: Context,
  caller: UserCaller,
  id: string,
): Promise<SubscriptionRow> {
  const subscription = await loadSubscriptionOrHistory(ctx, caller, id)
  if (subscription.deleted_at !== null) throw noSubscription()
  return subscription
}

/** Loads the caller's subscription, also a deleted one, whose deliveries stay readable. */
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

/** Returns the 404 for an unknown or deleted subscription. */
export function noSubscription(): AppError {
  return new AppError('not_found', 'This subscription does not exist.')
}
