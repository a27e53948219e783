interface PassageVectorsTable {
  document_id: string
  ordinal: number
  workspace_id: string
  tenant_id: string
  model: string
  dimension: number
  /** The value of a code of 1; 0 for a passage that the model refused. */
  scale: number
  /** Base64 of one signed byte for each dimension. */
  codes: string
}

interface EmbeddingJobsTable {
  tenant_id: string
  workspace_id: string
  due_at: number
  attempts: number
  lease_token: string | null
  lease_until: number | null
}

interface TenantVectorsTable {
  tenant_id: string
  workspace_id: string
  /** The model that has embedded every passage; empty before the first one has. */
  model: string
  /** Raised when the vectors have changed: the indexes of all processes are stale then. */
  version: number
  /** Passages embedded since this time, for the daily bound. */
  day_from: number
  embedded: number
}

declare module '../../storage/database.ts' {
  interface Tables {
    passage_vectors: PassageVectorsTable
    embedding_jobs: EmbeddingJobsTable
    tenant_vectors: TenantVectorsTable
  }
}
