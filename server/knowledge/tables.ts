interface DocumentsTable {
  id: string
  workspace_id: string
  tenant_id: string
  kind: string
  title: string
  url: string | null
  content: string
  state: 'queued' | 'indexing' | 'ready' | 'failed'
  error: string | null
  passage_count: number
  created_at: number
  updated_at: number
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

declare module '../storage/database.ts' {
  interface Tables {
    documents: DocumentsTable
    passages: PassagesTable
  }
}

export type { DocumentsTable, PassagesTable }
