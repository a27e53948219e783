import { type RawBuilder, sql } from 'kysely'

/** How the Postgres connection knows these statements; to the databases it is a comment. */
export const LATER = '/* later */'

/**
 * A statement of a transaction whose answer nobody looks at. On Postgres it is sent without waiting
 * for the answer, so that it costs no round trip and what it locks is locked for less; if it fails,
 * the next statement or the commit does, with its error. Elsewhere it is a statement like any other.
 */
export function later(statement: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${sql.raw(LATER)} ${statement}`
}

/**
 * Marks a statement made by `later` that takes nothing but arrays of equal length, its rows, and locks
 * nothing that others want. On Postgres transactions that are nothing else travel together: one
 * statement with the rows of all, and one commit.
 */
export const SHARED = `${LATER} /* shared */`

/** How the Postgres connection knows these statements; to the databases it is a comment. */
export const ALONE = '/* alone */'

/**
 * A statement of a transaction that locks a row that many want at once, until the commit. Its first
 * parameter names the row. On Postgres those of one process come one after the other, since waiting
 * costs the database much and this process nothing; the row's own lock is what makes it right.
 */
export function alone<Row>(statement: RawBuilder<Row>): RawBuilder<Row> {
  return sql<Row>`${sql.raw(ALONE)} ${statement}`
}

/**
 * Says of the transaction that it need not wait for the disk: it is committed, and outlives this
 * process, and a power failure may take it back. For what nobody is told before a later commit,
 * which is never on the disk without it.
 */
export const RELAXED = `${LATER} set local synchronous_commit = off`

/** How the Postgres connection knows these statements; to the databases it is a comment. */
export const ANEW = '/* anew */'

/**
 * A statement that Postgres plans anew each time. For queues: a plan that was made while the table was
 * empty reads all of it after a burst, until somebody counts the rows again.
 */
export function anew<Row>(statement: RawBuilder<Row>): RawBuilder<Row> {
  return sql<Row>`${sql.raw(ANEW)} ${statement}`
}
