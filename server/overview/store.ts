import { type RawBuilder, sql } from 'kysely'
import type { Milli } from '../lib/money.ts'
import type { Db } from '../storage/database.ts'
import type { Overview } from './schema.ts'

/** A workspace, and one of its sites unless all are meant. */
export interface OverviewScope {
  workspaceId: string
  tenantId: string | undefined
}

/** Counts what happens in a day, and the conversations that wait. */
export async function countToday(
  db: Db,
  scope: OverviewScope,
  day: { from: number; until: number; now: number },
): Promise<{ waiting: number; leads: number; appointments: number }> {
  const where = scopeFilter(scope)
  const { rows } = await sql<{ waiting: number; leads: number; appointments: number }>`
    select
      (select count(*) from sessions where ${where} and state = 'waiting'
        and (snoozed_until is null or snoozed_until <= ${day.now})) as waiting,
      (select count(*) from leads where ${where}
        and captured_at >= ${day.from} and captured_at < ${day.until}) as leads,
      (select count(*) from appointments where ${where} and state = 'booked'
        and start_at >= ${day.from} and start_at < ${day.until}) as appointments`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The counts of a day returned no row.')
  return row
}

/** Returns the questions without an answer, those asked most often first. */
export async function listTopUnanswered(
  db: Db,
  scope: OverviewScope,
  limit: number,
): Promise<Overview['unanswered']> {
  const { rows } = await sql<Overview['unanswered'][number]>`
    select tenant_id, question, asked as count from unanswered_questions where ${scopeFilter(scope)}
    order by asked desc, id limit ${limit}`.execute(db)
  return rows
}

/** Returns the credits that a workspace used from a day on, in thousandths. */
export async function sumCreditsSince(db: Db, workspaceId: string, day: string): Promise<Milli> {
  const { rows } = await sql<{ credits: number | string | null }>`
    select sum(credits) as credits from usage_days
    where workspace_id = ${workspaceId} and kind = 'day' and day >= ${day}`.execute(db)
  return Number(rows[0]?.credits ?? 0)
}

/**
 * Returns which steps of the beginning are done: 1 for a step that is. Pages of `ownOrigin`, such as the
 * preview, are not pages of the customer.
 */
export async function readChecklist(
  db: Db,
  scope: OverviewScope,
  ownOrigin: string,
): Promise<{ site: number; knowledge: number; asked: number; installed: number; team: number }> {
  const { workspaceId } = scope
  const where = scopeFilter(scope)
  const tried = sql`workspace_id = ${workspaceId} and tried_at is not null
    and ${scope.tenantId === undefined ? sql`1 = 1` : sql`id = ${scope.tenantId}`}`
  const exists = (source: RawBuilder<unknown>) =>
    sql`case when exists (select 1 from ${source}) then 1 else 0 end`
  const { rows } = await sql<Awaited<ReturnType<typeof readChecklist>>>`
    select ${exists(sql`tenants where workspace_id = ${workspaceId}`)} as site,
      ${exists(sql`documents where ${where} and state = 'ready'`)} as knowledge,
      case when exists (select 1 from sessions where ${where} and message_count > 0)
        or exists (select 1 from tenants where ${tried}) then 1 else 0 end as asked,
      ${exists(sql`seen_origins where ${where} and origin <> ${ownOrigin}`)} as installed,
      case when (select count(*) from users where workspace_id = ${workspaceId}) > 1
        or exists (select 1 from invitations where workspace_id = ${workspaceId})
      then 1 else 0 end as team`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The checklist returned no row.')
  return row
}

/** A row that a search by name looks at. */
export interface NamedRow {
  id: string
  title: string
  detail: string
  /** The site whose page shows the row; left out where no page of one site does. */
  site?: string
}

/** Returns the sites, members, newest documents and newest leads of a workspace by name. */
export async function listNamed(
  db: Db,
  workspaceId: string,
  limit: number,
): Promise<Record<'site' | 'person' | 'document' | 'lead', NamedRow[]>> {
  const ofWorkspace = sql`where workspace_id = ${workspaceId}`
  const [sites, people, documents, leads] = await Promise.all([
    sql<NamedRow>`
      select id, name as title, id as detail from tenants ${ofWorkspace}
      order by created_at desc limit ${limit}`.execute(db),
    sql<NamedRow>`
      select id, name as title, email as detail from users ${ofWorkspace}
      order by created_at desc limit ${limit}`.execute(db),
    sql<NamedRow>`
      select id, title, coalesce(url, file_name, '') as detail, tenant_id as site
      from documents ${ofWorkspace} order by created_at desc limit ${limit}`.execute(db),
    sql<NamedRow>`
      select id, name as title, email || ' ' || phone as detail from leads ${ofWorkspace}
      order by captured_at desc limit ${limit}`.execute(db),
  ])
  return { site: sites.rows, person: people.rows, document: documents.rows, lead: leads.rows }
}

function scopeFilter({ workspaceId, tenantId }: OverviewScope): RawBuilder<unknown> {
  const site = tenantId === undefined ? sql`` : sql`and tenant_id = ${tenantId}`
  return sql`workspace_id = ${workspaceId} ${site}`
}
