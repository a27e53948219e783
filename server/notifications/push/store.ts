import type { Selectable } from 'kysely'
import { LeaseQueue } from '../../jobs/lease-queue.ts'
import type { Db, Tables } from '../../storage/database.ts'

export type PushSubscriptionRow = Selectable<Tables['push_subscriptions']>
export type PushMessageRow = Selectable<Tables['push_messages']>

/** A workspace's share of a worker: its subscriptions may name servers that are slow on purpose. */
const MAX_LEASES_PER_WORKSPACE = 2

/** The push messages that wait to be sent; each is deleted at its end. */
export const pushMessages = new LeaseQueue<PushMessageRow>({
  name: 'push_messages',
  columns: { id: 'id', dueAt: 'next_at', attempts: 'attempts' },
  idOf: ({ id }) => id,
  attemptsOf: ({ attempts }) => attempts,
  groupCap: { column: 'workspace_id', max: MAX_LEASES_PER_WORKSPACE },
})

/** Inserts a subscription, in place of an earlier one of the same browser. */
export async function savePushSubscription(db: Db, row: PushSubscriptionRow): Promise<void> {
  await db
    .deleteFrom('push_subscriptions')
    .where('workspace_id', '=', row.workspace_id)
    .where('user_id', '=', row.user_id)
    .where('endpoint_digest', '=', row.endpoint_digest)
    .execute()
  await db.insertInto('push_subscriptions').values(row).execute()
}

/** Deletes the oldest subscriptions of a member beyond a number. */
export async function trimPushSubscriptions(
  db: Db,
  { workspaceId, userId }: { workspaceId: string; userId: string },
  max: number,
): Promise<void> {
  const rows = await db
    .selectFrom('push_subscriptions')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(max)
    .limit(max)
    .execute()
  for (const { id } of rows) await deletePushSubscription(db, workspaceId, id)
}

export async function findPushSubscription(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<PushSubscriptionRow | undefined> {
  return db
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns the subscriptions of all members of a workspace. */
export async function listPushSubscriptions(
  db: Db,
  workspaceId: string,
): Promise<Pick<PushSubscriptionRow, 'id' | 'user_id'>[]> {
  return db
    .selectFrom('push_subscriptions')
    .select(['id', 'user_id'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at')
    .execute()
}

export async function deletePushSubscription(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<void> {
  await db
    .deleteFrom('push_subscriptions')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function insertPushMessages(db: Db, rows: readonly PushMessageRow[]): Promise<void> {
  if (rows.length > 0)
    await db
      .insertInto('push_messages')
      .values([...rows])
      .execute()
}

/** Returns a secret of the installation; stores `candidate` when there is none yet. */
export async function findOrAddSecret(
  db: Db,
  name: string,
  candidate: { content: string; now: number } | undefined,
): Promise<string | undefined> {
  if (candidate) {
    await db
      .insertInto('installation_secrets')
      .values({ name, content: candidate.content, created_at: candidate.now })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
  }
  const row = await db
    .selectFrom('installation_secrets')
    .select('content')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.content
}
