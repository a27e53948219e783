/** A snapshot of a tenant's search index, in parts. */
interface IndexSnapshotsTable {
  tenant_id: string
  part: number
  workspace_id: string
  /** Digest of the passages and of the search that the index was built from and by. */
  stamp: string
  /** How many parts the snapshot has. */
  parts: number
  /** Those of this part. */
  bytes: number
  stored_at: number
  content: Buffer
}

declare module '../../storage/database.ts' {
  interface Tables {
    index_snapshots: IndexSnapshotsTable
  }
}

export type { IndexSnapshotsTable }
