import { sql } from 'kysely'
import type { Cursor } from '../lib/cursor.ts'
import type { Db, Tables } from '../storage/database.ts'

interface WorkspaceName {
  workspace_id: string
  workspace: string
}

interface ListPage {
  limit: number
  after: Cursor | undefined
}

export interface OperatorLetterRow extends WorkspaceName {
  id: string
  endpoint_id: string
  url: string | null
  event: string
  attempts: number
  created_at: number
  died_at: number
  expires_at: number
}

/** Returns the dead letters of every workspace, newest first; one more than `limit`. */
export async function listAllDeadLetters(
  db: Db,
  now: number,
  { limit, after }: ListPage,
): Promise<OperatorLetterRow[]> {
  const { rows } = await sql<OperatorLetterRow>`
    select dead_letters.id, dead_letters.workspace_id, workspaces.name as workspace,
      dead_letters.endpoint_id, dead_letters.event, dead_letters.attempts,
      dead_letters.created_at, dead_letters.died_at, dead_letters.expires_at,
      case when rules.deleted_at is null then rules.url end as url
    from dead_letters
    join workspaces on workspaces.id = dead_letters.workspace_id
    left join rules on rules.id = dead_letters.endpoint_id
    where dead_letters.family = 'chat' and dead_letters.expires_at > ${now}
      and ${after ? sql`(died_at, dead_letters.id) < (${after.at}, ${after.id})` : sql`1 = 1`}
    order by died_at desc, dead_letters.id desc limit ${limit + 1}`.execute(db)
  return rows
}

export type OperatorSubscriptionRow = WorkspaceName &
  Pick<
    Tables['subscriptions'],
    'id' | 'url' | 'switched_off_at' | 'disabled_at' | 'disabled_reason' | 'created_at'
  >

/** Returns the subscriptions of every workspace, newest first; one more than `limit`. */
export async function listAllSubscriptions(
  db: Db,
  { limit, after }: ListPage,
): Promise<OperatorSubscriptionRow[]> {
  const { rows } = await sql<OperatorSubscriptionRow>`
    select subscriptions.id, subscriptions.workspace_id, workspaces.name as workspace, url,
      switched_off_at, disabled_at, disabled_reason, subscriptions.created_at
    from subscriptions join workspaces on workspaces.id = subscriptions.workspace_id
    where subscriptions.deleted_at is null and ${before('subscriptions', after)}
    order by subscriptions.created_at desc, subscriptions.id desc
    limit ${limit + 1}`.execute(db)
  return rows
}

export type OperatorIntegrationRow = WorkspaceName &
  Pick<
    Tables['integrations'],
    'id' | 'kind' | 'tenant_id' | 'name' | 'disabled_at' | 'billing_at' | 'created_at'
  >

/** Returns the integrations of every workspace, newest first; one more than `limit`. */
export async function listAllIntegrations(
  db: Db,
  { limit, after }: ListPage,
): Promise<OperatorIntegrationRow[]> {
  const { rows } = await sql<OperatorIntegrationRow>`
    select integrations.id, integrations.workspace_id, workspaces.name as workspace, kind,
      tenant_id, integrations.name, disabled_at, billing_at, integrations.created_at
    from integrations join workspaces on workspaces.id = integrations.workspace_id
    where ${before('integrations', after)}
    order by integrations.created_at desc, integrations.id desc limit ${limit + 1}`.execute(db)
  return rows
}

function before(table: 'subscriptions' | 'integrations', after: Cursor | undefined) {
  if (!after) return sql`1 = 1`
  const [at, id] = [sql.ref(`${table}.created_at`), sql.ref(`${table}.id`)]
  return sql`(${at}, ${id}) < (${after.at}, ${after.id})`
}
