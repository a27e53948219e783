import type Sqlite from 'better-sqlite3'
import { CacheCounts } from '../../lib/instruments.ts'
import type { WriteTracker } from '../read-cache.ts'

const NOTE_WRITE = 'note_write'

/**
 * Tracks writes of a connection that is the only writer of its database. Temporary triggers, which
 * other connections and the file do not see, report each changed row of a watched table: SQLite calls
 * them for every kind of statement, and for rows that a foreign key deletes or changes.
 */
export class SqliteWriteTracker implements WriteTracker {
  readonly cache = new CacheCounts()
  readonly #writer: Sqlite.Database
  readonly #watched = new Set<string>()
  #pending: string[] = []
  #version = 0
  #isWriting = false
  #isChanged = false

  constructor(writer: Sqlite.Database) {
    this.#writer = writer
    writer.function(NOTE_WRITE, () => {
      this.#isChanged = true
      return null
    })
  }

  watch(tables: readonly string[]): void {
    for (const table of tables) {
      if (this.#watched.has(table)) continue
      this.#watched.add(table)
      this.#pending.push(table)
    }
    // A rollback of the open transaction would drop the triggers.
    if (!this.#isWriting) this.#createTriggers()
  }

  version(): number | undefined {
    return this.#isChanged || this.#pending.length > 0 ? undefined : this.#version
  }

  /** Call before the writer begins a transaction. */
  begin(): void {
    this.#createTriggers()
    this.#isWriting = true
  }

  /** Call right before the writer commits or rolls back. */
  end(): void {
    this.#isWriting = false
    if (!this.#isChanged) return
    this.#isChanged = false
    this.#version += 1
  }

  #createTriggers(): void {
    for (const table of this.#pending) {
      for (const operation of ['insert', 'update', 'delete']) {
        this.#writer.exec(
          `create temp trigger "${table}_${operation}" after ${operation} on main."${table}"
            begin select ${NOTE_WRITE}(); end`,
        )
      }
    }
    this.#pending = []
  }
}
