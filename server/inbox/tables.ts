interface CannedRepliesTable {
  id: string
  workspace_id: string
  title: string
  text: string
  created_at: number
  updated_at: number
}

declare module '../storage/database.ts' {
  interface Tables {
    canned_replies: CannedRepliesTable
  }
}

export type { CannedRepliesTable }
