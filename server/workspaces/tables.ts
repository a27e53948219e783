interface ModelChoicesTable {
  workspace_id: string
  /** A list in JSON, the first choice first; the keys in it are sealed. */
  choices: string
  updated_at: number
}

interface EmbeddingChoicesTable {
  workspace_id: string
  base_url: string
  model: string
  /** Encrypted. */
  api_key: string | null
  updated_at: number
}

declare module '../storage/database.ts' {
  interface Tables {
    model_choices: ModelChoicesTable
    embedding_choices: EmbeddingChoicesTable
  }
}

export type { EmbeddingChoicesTable, ModelChoicesTable }
