/**
 * The two statements of every run on Postgres, where one statement can write to several tables: a
 * run's credits cost one round trip each way, and the balance is locked for that long and no more.
 * `store.holds.ts` does the same in steps for the embedded database, whose writer is alone.
 */
import { sql } from 'kysely'
import { newId } from '../lib/ids.ts'
import type { Db } from '../storage/database.ts'
import { alone } from '../storage/later.ts'
import type { BalanceRow } from './store.ts'
import type { EndedHold, HoldEnd, WantedHold } from './store.holds.ts'

/** As `takeHold`. */
export async function takeAtOnce(db: Db, wanted: WantedHold): Promise<BalanceRow | undefined> {
  const { rows } = await alone(sql<BalanceRow>`
    with whose as (
      select ${wanted.workspaceId} as id
    ), taken as (
      update balances set
        held = held + least(${wanted.amount}::bigint, monthly + addons - held),
        last_held = least(${wanted.amount}::bigint, monthly + addons - held),
        entries = entries + 2
      from whose where workspace_id = whose.id and month >= ${wanted.month}
        and monthly + addons - held >= ${wanted.least}
      returning balances.*, least(last_held, greatest(0, monthly - (held - last_held))) as from_month
    ), kept as (
      insert into holds (id, workspace_id, amount, from_month, session_id, created_at, lease_until)
      select ${wanted.id}, workspace_id, last_held, from_month, ${wanted.sessionId},
        ${wanted.now}::bigint, ${wanted.leaseUntil}::bigint from taken
    ), noted as (
      insert into ledger (id, workspace_id, type, amount, source, monthly_after, addons_after,
        held_after, run_id, session_id, created_at, sequence)
      select row.id, workspace_id, 'hold', -row.amount, row.source, monthly, addons,
        row.held_after, ${wanted.id}, ${wanted.sessionId}, ${wanted.now}::bigint,
        entries - 2 + row.place
      from taken cross join lateral (values
        (${newId('ldg')}, 1, 'monthly', from_month, held - (last_held - from_month)),
        (${newId('ldg')}, 2, 'addon', last_held - from_month, held)
      ) as row (id, place, source, amount, held_after)
      where row.amount <> 0
    )
    select * from taken`).execute(db)
  return rows[0]
}

/** As `endHold`. */
export async function endAtOnce(db: Db, end: HoldEnd): Promise<EndedHold | undefined> {
  const { usage } = end
  const subjects = usage?.subjects ?? []
  const { rows } = await alone(sql<BalanceRow & { cost: number }>`
    with whose as (
      select ${end.workspaceId} as id
    ), ended as (
      delete from holds using balances, whose
      where holds.id = ${end.id} and holds.workspace_id = whose.id
        and holds.lease_until <= ${end.lapsedBy ?? Number.MAX_SAFE_INTEGER}
        and balances.workspace_id = holds.workspace_id and balances.month >= ${end.month}
      returning holds.workspace_id, holds.amount, holds.from_month, holds.session_id,
        least(holds.amount, ${end.cost}::bigint) as cost
    ), taken as (
      update balances set
        held = held - amount,
        entries = entries + 4,
        last_from_month = least(monthly, cost),
        used = used + least(monthly, cost),
        monthly = monthly - least(monthly, cost),
        addons = addons - (cost - least(monthly, cost))
      from ended where balances.workspace_id = ended.workspace_id
      returning balances.*, amount, from_month, session_id, cost
    ), noted as (
      insert into ledger (id, workspace_id, type, amount, source, monthly_after, addons_after,
        held_after, run_id, session_id, created_at, sequence)
      select row.id, workspace_id, row.type, row.amount, row.source, row.monthly_after,
        row.addons_after, row.held_after, ${end.id}, session_id, ${end.now}::bigint,
        entries - 4 + row.place
      from taken cross join lateral (values
        (${newId('ldg')}, 1, 'release', 'monthly', from_month, monthly + last_from_month,
          addons + cost - last_from_month, held + amount - from_month),
        (${newId('ldg')}, 2, 'release', 'addon', amount - from_month, monthly + last_from_month,
          addons + cost - last_from_month, held),
        (${newId('ldg')}, 3, 'settle', 'monthly', -last_from_month, monthly,
          addons + cost - last_from_month, held),
        (${newId('ldg')}, 4, 'settle', 'addon', last_from_month - cost, monthly, addons, held)
      ) as row (id, place, type, source, amount, monthly_after, addons_after, held_after)
      where row.amount <> 0
    ), counted as (
      insert into usage_days (workspace_id, kind, day, subject, runs, credits, input_tokens,
        output_tokens)
      select workspace_id, kind, day, subject, 1, cost, ${usage?.inputTokens ?? 0}::bigint,
        ${usage?.outputTokens ?? 0}::bigint
      from taken cross join lateral unnest(
        ${subjects.map(({ kind }) => kind)}::text[],
        ${subjects.map(({ subject }) => subject)}::text[]
      ) as of_run (kind, subject)
      where day_from <= ${end.now} and ${end.now} < day_until
      on conflict (workspace_id, kind, day, subject) do update set
        runs = usage_days.runs + 1,
        credits = usage_days.credits + excluded.credits,
        input_tokens = usage_days.input_tokens + excluded.input_tokens,
        output_tokens = usage_days.output_tokens + excluded.output_tokens
    )
    select * from taken`).execute(db)
  const [balance] = rows
  if (!balance) return undefined
  const isCounted = balance.day_from <= end.now && end.now < balance.day_until
  return { balance, cost: balance.cost, isCounted }
}
