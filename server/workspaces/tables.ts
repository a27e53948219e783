interface ModelChoicesTable {
  workspace_id: string
  /** A list in JSON, the first choice first; the keys in it are sealed. */
  choices: string
  updated_at: number
}

declare module '../storage/database.ts' {
  interface Tables {
    model_choices: ModelChoicesTable
  }
}

export type { ModelChoicesTable }
