interface DocumentsTable {
  id: string
  workspace_id: string
  tenant_id: string
  /** The sitemap that lists this page. */
  parent_id: string | null
  kind: string
  title: string
  url: string | null
  file_name: string | null
  /** Content of a pasted document; empty for a file or a page, the text of which is in its passages. */
  content: string
  state: 'queued' | 'indexing' | 'ready' | 'failed'
  error: string | null
  passage_count: number
  bytes: number
  created_at: number
  updated_at: number
  synced_at: number | null
  /** Hours between two syncs; null for a single sync. */
  sync_hours: number | null
  /** Hash of the passages: a sync of an unchanged page writes nothing. */
  fingerprint: string | null
  etag: string | null
  last_modified: string | null
}

interface PassagesTable {
  document_id: string
  ordinal: number
  workspace_id: string
  tenant_id: string
  heading: string
  anchor: string | null
  content: string
}

interface KnowledgeJobsTable {
  document_id: string
  workspace_id: string
  lane: 'file' | 'web'
  due_at: number
  attempt: number
  /** Start of a sync that takes several runs of the job. */
  started_at: number | null
  lease_token: string | null
  lease_until: number | null
}

interface KnowledgeFilesTable {
  document_id: string
  workspace_id: string
  /** The bytes; in SQLite, base64 where an earlier version stored the file. */
  content: Buffer | string
}

interface UnansweredQuestionsTable {
  id: string
  workspace_id: string
  tenant_id: string
  /** Hash of the content words: several wordings of one question share a row. */
  fingerprint: string
  question: string
  locale: string
  asked: number
  first_asked_at: number
  last_asked_at: number
}

declare module '../storage/database.ts' {
  interface Tables {
    documents: DocumentsTable
    passages: PassagesTable
    knowledge_jobs: KnowledgeJobsTable
    knowledge_files: KnowledgeFilesTable
    unanswered_questions: UnansweredQuestionsTable
  }
}

export type {
  DocumentsTable,
  KnowledgeFilesTable,
  KnowledgeJobsTable,
  PassagesTable,
  UnansweredQuestionsTable,
}
