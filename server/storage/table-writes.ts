import type Sqlite from 'better-sqlite3'
import { CacheCounts } from '../lib/instruments.ts'
import type { Writes } from './remembered.ts'

/** `do update set` names no table, and does no harm. */
const TARGETS =
  /\b(?:insert\s+(?:or\s+\w+\s+)?into|replace\s+into|update|delete\s+from)\s+"?(\w+)/gi

/** The tables that a statement writes to by itself. */
export function targetsOf(text: string): string[] {
  return [...text.matchAll(TARGETS)].flatMap(([, table]) => table?.toLowerCase() ?? [])
}

/** Counts what is committed to the tables that somebody watches, of the only writer of a database. */
export class TableWrites implements Writes {
  readonly cache = new CacheCounts()
  readonly #database: Sqlite.Database
  readonly #watched = new Set<string>()
  #version = 0
  #isUnderWay = false

  constructor(database: Sqlite.Database) {
    this.#database = database
  }

  watch(tables: readonly string[]): void {
    for (const table of tables) {
      if (this.#watched.has(table)) continue
      this.#watched.add(table)
      this.watch(this.#ownersOf(table))
    }
  }

  version(): number | undefined {
    return this.#isUnderWay ? undefined : this.#version
  }

  /** A statement has written to tables, and is not committed. */
  begin(tables: readonly string[]): void {
    for (const table of tables) {
      if (this.#watched.has(table)) this.#isUnderWay = true
    }
  }

  /** What was written is committed, or rolled back. */
  end(): void {
    if (!this.#isUnderWay) return
    this.#isUnderWay = false
    this.#version += 1
  }

  /** The tables whose rows take rows of this one along when they go. */
  #ownersOf(table: string): string[] {
    return this.#database
      .prepare<[string], { table: string }>('select "table" from pragma_foreign_key_list(?)')
      .all(table)
      .map((key) => key.table)
  }
}
