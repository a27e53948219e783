import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../context.ts'
import type { Db } from '../storage/database.ts'
import { dialectOf } from '../storage/dialect.ts'
import { unprepared } from '../storage/query-hints.ts'

/** The columns that the table of every queue has. */
export interface LeaseColumns {
  workspace_id: string
  /** The fence: only the holder of this token may change the job. Each claim writes a new one. */
  lease_token: string | null
  lease_until: number | null
}

/** How the table of a queue is named and shaped. */
export interface QueueTable<Row extends LeaseColumns> {
  name: string
  columns: { id: string; dueAt: string; attempts: string }
  idOf: (row: Row) => string
  /** How often the job was claimed. */
  attemptsOf: (row: Row) => number
  /**
   * Values of the column `state` for jobs that have ended; jobs that have not are `waiting`. The table
   * has the columns `error` and `ended_at` too. Without it, a completed job is deleted.
   */
  ended?: { done: string; dead: string }
  /** Jobs with the same key run one at a time, in this order. */
  ordering?: { key: readonly string[]; order: readonly string[] }
  /** The column with the kind of a job; each kind has its own workers. */
  kind?: string
  /**
   * Jobs with the same value in `column` are a group. At most `max` jobs of a kind and group are leased
   * at once, and groups take turns: a group with many jobs that are due for longer delays the others
   * by one job at a time. The table has an index of the group and the due time, and one of the group for
   * leased jobs.
   */
  groupCap?: GroupCap<keyof Row & string>
}

interface GroupCap<Column extends string = string> {
  column: Column
  max: number
}

/** Which jobs to lease, to whom and until when. */
export interface Claim {
  now: number
  until: number
  /** Unique to the claim. */
  token: string
  limit: number
  kind?: string | undefined
  /** The group that had the last turn; the next one in the order of their values comes first. */
  lastGroup?: string | undefined
}

/**
 * A table as a queue of jobs. A claim leases jobs to a worker; a worker that dies lets its leases
 * lapse, and another worker claims the jobs. A worker that lost its lease can change nothing: every
 * change of a job compares the token.
 */
export class LeaseQueue<Row extends LeaseColumns> {
  readonly #table: QueueTable<Row>
  /** The topic of `notify` on the bus. */
  readonly topic: string
  readonly name: string

  constructor(table: QueueTable<Row>) {
    this.#table = table
    this.name = table.name
    this.topic = `jobs:${table.name}`
  }

  attemptsOf(job: Row): number {
    return this.#table.attemptsOf(job)
  }

  idOf(job: Row): string {
    return this.#table.idOf(job)
  }

  /** Wakes the workers of all processes once the transaction is committed. */
  notify(tx: Transaction): void {
    tx.afterCommit.push(() => tx.pubsub.publish(this.topic, ''))
  }

  /** Returns the group of a job; undefined in a queue without groups. */
  groupOf(job: Row): string | undefined {
    const { groupCap } = this.#table
    return groupCap && String(job[groupCap.column])
  }

  /**
   * Leases jobs that are due, those due for longest first, and counts the attempt. In a queue with
   * groups, those of the next group first.
   */
  async claim(db: Db, claim: Claim): Promise<Row[]> {
    if (!this.#table.groupCap) return this.#claim(db, claim)
    // The cap counts committed leases, so each job takes a statement of its own.
    const jobs: Row[] = []
    let { lastGroup } = claim
    while (jobs.length < claim.limit) {
      const [job] = await this.#claim(db, { ...claim, limit: 1, lastGroup })
      if (!job) break
      jobs.push(job)
      lastGroup = this.groupOf(job)
    }
    return jobs
  }

  async #claim(db: Db, claim: Claim): Promise<Row[]> {
    const { name, columns, groupCap } = this.#table
    const id = sql.ref(columns.id)
    const attempts = sql.ref(columns.attempts)
    const due = groupCap ? this.#nextOfGroups(claim, groupCap) : this.#next(claim)
    // A row that another process is claiming is skipped instead of waited for.
    const lock = dialectOf(db) === 'postgres' ? sql`for update of due skip locked` : sql``
    const { rows } = await unprepared(sql<Row>`
      update ${sql.table(name)}
      set lease_token = ${claim.token}, lease_until = ${claim.until}, ${attempts} = ${attempts} + 1
      where ${id} in (${due} limit ${claim.limit} ${lock})
      returning *`).execute(db)
    return rows
  }

  #next(claim: Claim): RawBuilder<unknown> {
    const { name, columns } = this.#table
    return sql`
      select due.${sql.ref(columns.id)} from ${sql.table(name)} as due
      where ${sql.join(this.#claimable(claim), sql` and `)}
      order by due.${sql.ref(columns.dueAt)}`
  }

  /**
   * Selects the next job of each group below the cap, in a circle of groups that begins behind the
   * group of the last turn. The groups are found by steps through an index, so that the backlog of one
   * group does not slow the claims of others.
   */
  #nextOfGroups(claim: Claim, { column, max }: GroupCap): RawBuilder<unknown> {
    const { now, kind, lastGroup = '' } = claim
    const { name, columns, ended, kind: kindColumn } = this.#table
    const table = sql.table(name)
    const group = sql.ref(column)
    const waiting = sql.join(
      [
        sql`${sql.ref(columns.dueAt)} <= ${now}`,
        ...(ended ? [sql`state = 'waiting'`] : []),
        ...(kindColumn ? [sql`${sql.ref(kindColumn)} = ${kind}`] : []),
      ],
      sql` and `,
    )
    const sameKind = kindColumn ? sql`and other.${sql.ref(kindColumn)} = ${kind}` : sql``
    return sql`
      select due.${sql.ref(columns.id)} from ${table} as due
      join (
        with recursive turns (name) as (
          select min(${group}) from ${table} where ${waiting}
          union all
          select (select min(${group}) from ${table} where ${group} > turns.name and ${waiting})
          from turns where turns.name is not null
        )
        select turns.name, (
          ${this.#next(claim)} limit 1
        ) as next_id
        from turns
        where turns.name is not null and ${max} > (
          select count(*) from ${table} as other
          where other.${group} = turns.name ${sameKind} and other.lease_until > ${now})
      ) as turn on turn.next_id = due.${sql.ref(columns.id)}
      where (due.lease_until is null or due.lease_until <= ${now})
      order by case when turn.name > ${lastGroup} then 0 else 1 end, turn.name`
  }

  #claimable({ now, kind }: Claim): RawBuilder<unknown>[] {
    const { name, columns, ended, ordering, kind: kindColumn, groupCap } = this.#table
    const table = sql.table(name)
    const conditions = [
      sql`due.${sql.ref(columns.dueAt)} <= ${now}`,
      sql`(due.lease_until is null or due.lease_until <= ${now})`,
    ]
    if (ended) conditions.push(sql`due.state = 'waiting'`)
    if (kindColumn) conditions.push(sql`due.${sql.ref(kindColumn)} = ${kind}`)
    if (ordering) {
      const sameKey = ordering.key.map(
        (column) => sql`earlier.${sql.ref(column)} = due.${sql.ref(column)}`,
      )
      const placeOf = (alias: string) =>
        sql.join(ordering.order.map((column) => sql.ref(`${alias}.${column}`)))
      conditions.push(sql`not exists (
        select 1 from ${table} as earlier
        where ${sql.join(sameKey, sql` and `)} and earlier.state = 'waiting'
          and (${placeOf('earlier')}) < (${placeOf('due')}))`)
    }
    if (groupCap) conditions.push(sql`due.${sql.ref(groupCap.column)} = turns.name`)
    return conditions
  }

  /** Extends a lease, and sets other columns with it; false when the lease is lost. */
  renew(db: Db, job: Row, until: number, set: Partial<Row> = {}): Promise<boolean> {
    return this.#change(db, job, { ...set, lease_until: until })
  }

  /** Makes sure until the end of the transaction that the lease is held; false when it is lost. */
  lock(db: Db, job: Row): Promise<boolean> {
    return this.#change(db, job, { lease_token: job.lease_token })
  }

  /** Ends the lease and makes the job due at a time; false when the lease is lost. */
  reschedule(
    db: Db,
    job: Row,
    next: { at: number; error?: string; attempts?: number; set?: Partial<Row> },
  ): Promise<boolean> {
    const { dueAt, attempts } = this.#table.columns
    return this.#change(db, job, {
      ...next.set,
      [dueAt]: next.at,
      ...(next.attempts === undefined ? {} : { [attempts]: next.attempts }),
      ...(next.error === undefined || !this.#table.ended ? {} : { error: next.error }),
      lease_token: null,
      lease_until: null,
    })
  }

  /**
   * Ends a job that is done, in the transaction of its effects, and sets other columns with it; false
   * when the lease is lost, and nothing of the job may be written then.
   */
  async complete(db: Db, job: Row, now: number, set: Partial<Row> = {}): Promise<boolean> {
    const { ended, name } = this.#table
    if (ended) return this.#end(db, job, { ...set, state: ended.done, error: null, ended_at: now })
    const { rows } = await sql`
      delete from ${sql.table(name)} where ${this.#fence(job)} returning 1 as one`.execute(db)
    return rows.length > 0
  }

  /** Moves a job to its dead state; false when the lease is lost. Only for tables that keep it. */
  async kill(
    db: Db,
    job: Row,
    { error, now, set = {} }: { error: string; now: number; set?: Partial<Row> },
  ): Promise<boolean> {
    const { ended, name } = this.#table
    if (!ended) throw new Error(`The queue ${name} keeps no dead jobs.`)
    return this.#end(db, job, { ...set, state: ended.dead, error, ended_at: now })
  }

  #end(db: Db, job: Row, values: Record<string, unknown>): Promise<boolean> {
    return this.#change(db, job, { ...values, lease_token: null, lease_until: null })
  }

  async #change(db: Db, job: Row, values: Record<string, unknown>): Promise<boolean> {
    const changes = Object.entries(values).map(
      ([column, value]) => sql`${sql.ref(column)} = ${value}`,
    )
    const { rows } = await sql`
      update ${sql.table(this.#table.name)} set ${sql.join(changes)}
      where ${this.#fence(job)} returning 1 as one`.execute(db)
    return rows.length > 0
  }

  #fence(job: Row): RawBuilder<unknown> {
    const { columns, ended } = this.#table
    const isOpen = ended ? sql`and state = 'waiting'` : sql``
    return sql`${sql.ref(columns.id)} = ${this.idOf(job)} and workspace_id = ${job.workspace_id}
      and lease_token = ${job.lease_token} ${isOpen}`
  }

  /**
   * Ends all leases. Only at the start of the single process of a database: every lease is then of a
   * process that died.
   */
  async releaseStaleLeases(db: Db): Promise<void> {
    await sql`
      update ${sql.table(this.#table.name)} set lease_token = null, lease_until = null
      where lease_until is not null`.execute(db)
  }

  /** Deletes jobs that ended before a time. */
  async deleteEnded(db: Db, before: number): Promise<void> {
    await sql`
      delete from ${sql.table(this.#table.name)}
      where state <> 'waiting' and ended_at <= ${before}`.execute(db)
  }
}
