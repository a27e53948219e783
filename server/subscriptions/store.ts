import type { Selectable } from 'kysely'
import type { Cursor } from '../lib/cursor.ts'
import type { Db, Tables } from '../storage/database.ts'
import { keysetBefore } from '../storage/keyset.ts'
import { cachedRead } from '../storage/read-cache.ts'
import { prepared } from '../storage/prepared.ts'
import type { PlatformEvent } from './schema.ts'

export type SubscriptionRow = Selectable<Tables['subscriptions']>

/** A subscription that receives an event. */
export type Subscriber = Pick<SubscriptionRow, 'id' | 'disabled_at'>

export async function insertSubscription(db: Db, row: SubscriptionRow): Promise<void> {
  await db.insertInto('subscriptions').values(row).execute()
}

/** Finds a subscription of any workspace, deleted ones included. */
export async function findSubscription(db: Db, id: string): Promise<SubscriptionRow | undefined> {
  return db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Finds existing subscriptions, of any workspace. */
export async function findSubscriptions(
  db: Db,
  ids: readonly string[],
): Promise<SubscriptionRow[]> {
  return db
    .selectFrom('subscriptions')
    .selectAll()
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Finds the subscriptions to an event that are switched on. */
export function findSubscribers(
  db: Db,
  workspaceId: string,
  event: PlatformEvent,
): Promise<readonly Readonly<Subscriber>[]> {
  return readSubscribers(db, workspaceId, event)
}

const readSubscribers = cachedRead<Subscriber>(
  ['subscriptions'],
  (workspaceId, event) => prepared`
    select id, disabled_at from subscriptions
    where workspace_id = ${workspaceId} and deleted_at is null and switched_off_at is null
      and events like ${`%"${event}"%`}`,
)

/** Lists the subscriptions of a workspace, newest first; `limit` + 1 rows. */
export async function listSubscriptions(
  db: Db,
  workspaceId: string,
  { limit, after }: { limit: number; after: Cursor | undefined },
): Promise<SubscriptionRow[]> {
  return db
    .selectFrom('subscriptions')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .where(keysetBefore('created_at', after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

/** Selects an existing subscription that still has this encrypted secret. */
interface SubscriptionRef {
  workspaceId: string
  id: string
  secret?: string
}

/** Updates a subscription that is not deleted; else `undefined`. */
export async function updateSubscription(
  db: Db,
  place: SubscriptionRef,
  values: Partial<SubscriptionRow>,
): Promise<SubscriptionRow | undefined> {
  return updateOf(db, place).set(values).returningAll().executeTakeFirst()
}

/** Counts a ping and updates the given columns. */
export async function startPing(
  db: Db,
  place: SubscriptionRef,
  values: Partial<SubscriptionRow>,
): Promise<SubscriptionRow | undefined> {
  return updateOf(db, place)
    .set((eb) => ({ ...values, pings: eb('pings', '+', 1) }))
    .returningAll()
    .executeTakeFirst()
}

function updateOf(db: Db, { workspaceId, id, secret }: SubscriptionRef) {
  return db
    .updateTable('subscriptions')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .$if(secret !== undefined, (query) => query.where('secret', '=', secret ?? ''))
}

/** Stores the result of the latest ping; `undefined` for an older one. */
export async function endPing(
  db: Db,
  { id, pings }: Pick<SubscriptionRow, 'id' | 'pings'>,
  values: Partial<SubscriptionRow>,
): Promise<SubscriptionRow | undefined> {
  return db
    .updateTable('subscriptions')
    .set(values)
    .where('id', '=', id)
    .where('pings', '=', pings)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Disables an active subscription; `undefined` if disabled or deleted. Idempotent. */
export async function disableSubscription(
  db: Db,
  id: string,
  values: Pick<SubscriptionRow, 'disabled_at' | 'disabled_reason' | 'updated_at'>,
): Promise<Pick<SubscriptionRow, 'id' | 'workspace_id' | 'url'> | undefined> {
  return db
    .updateTable('subscriptions')
    .set(values)
    .where('id', '=', id)
    .where('disabled_at', 'is', null)
    .where('deleted_at', 'is', null)
    .returning(['id', 'workspace_id', 'url'])
    .executeTakeFirst()
}

/** Counts the subscriptions of all workspaces that the service disabled. */
export async function countDisabledSubscriptions(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('subscriptions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('disabled_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}
