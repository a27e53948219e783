import { SqliteQueryCompiler } from 'kysely'

/**
 * A parameter whose value the planner does not see: the plus sign does nothing else. Where SQLite
 * sees a value (in joins, limits, `like`, table-valued functions), it prepares the statement for each
 * execution, in case another value makes another plan better: ten times the work. See
 * `sqlite3VdbeSetVarmask` in its source. Postgres has numbered placeholders.
 */
export const SQLITE_PLACEHOLDER = '+?'

/** Compiles queries whose parameters are hidden from the planner. */
export class HidingQueryCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return SQLITE_PLACEHOLDER
  }
}
