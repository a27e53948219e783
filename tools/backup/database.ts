import type { Migration } from '../../server/storage/migrate.ts'
import { CommandError } from '../command-error.ts'
import type { Archive, Value } from './archive.ts'

export interface Table {
  name: string
  columns: string[]
}

/** The tables that no backup has: migrations are in its header, and search indexes can be built again. */
const OMITTED: ReadonlySet<string> = new Set(['migrations', 'index_snapshots'])

/** Whether a table belongs to a backup. */
export const isBackedUp = ({ name }: Table): boolean => !OMITTED.has(name)

/** A database that is read as of one moment. */
export interface BackupSource {
  /** Those of a backup. */
  tables: readonly Table[]
  /** The names of those that were applied. */
  migrations: string[]
  rows(table: Table): AsyncIterable<readonly Value[]>
  close(): Promise<void>
}

/** Checks a load before it is committed. */
export interface Proof {
  /** Rejects where the rows differ from those of the backup. */
  prove: (loaded: BackupSource) => Promise<void>
}

/**
 * Returns the migrations that a backup was made after: the product applies the later ones when it
 * starts. Throws `CommandError` for a backup of a newer version.
 */
export function findMigrations(
  { header }: Archive,
  known: readonly Migration[],
): readonly Migration[] {
  const names = new Set(known.map(({ name }) => name))
  const unknown = header.migrations.find((name) => !names.has(name))
  if (unknown !== undefined) {
    throw new CommandError(
      `The backup is of a newer version (${unknown}). Update the product first.`,
    )
  }
  const applied = new Set(header.migrations)
  return known.filter(({ name }) => applied.has(name))
}
