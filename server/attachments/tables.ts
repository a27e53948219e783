interface AttachmentsTable {
  id: string
  workspace_id: string
  session_id: string
  role: 'visitor' | 'operator'
  name: string
  media_type: string
  bytes: number
  content: Buffer
  created_at: number
}

declare module '../storage/database.ts' {
  interface Tables {
    attachments: AttachmentsTable
  }
}

export type { AttachmentsTable }
