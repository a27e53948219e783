interface DocumentsTable {
  id: string
  workspace_id: string
  tenant_id: string
  /** The sitemap that names this page. */
  parent_id: string | null
  kind: string
  title: string
  url: string | null
  file_name: string | null
  /** As it was pasted; empty for what was read from a file or a page, which its passages hold. */
  content: string
  state: 'queued' | 'indexing' | 'ready' | 'failed'
  error: string | null
  passage_count: number
  bytes: number
  created_at: number
  updated_at: number
  synced_at: number | null
  /** How often it is read again; null for never. */
  sync_hours: number | null
  /** Of the passages, so that a page that says the same is left as it is. */
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
  /** When a sync that takes several turns began. */
  started_at: number | null
  lease_token: string | null
  lease_until: number | null
}

interface KnowledgeFilesTable {
  document_id: string
  workspace_id: string
  /** Base64. */
  content: string
}

interface UnansweredQuestionsTable {
  id: string
  workspace_id: string
  tenant_id: string
  /** Of the words that count, so that one question in several wordings is one row. */
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
