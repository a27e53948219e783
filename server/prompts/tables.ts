interface PromptsTable {
  workspace_id: string
  prompt_id: string
  /** The current version; earlier versions are immutable. */
  version: number
  created_at: number
  updated_at: number
  deleted_at: number | null
}

interface PromptVersionsTable {
  workspace_id: string
  prompt_id: string
  version: number
  /** A `PromptDefinition` as JSON. */
  definition: string
  created_at: number
}

interface MemoryTable {
  workspace_id: string
  key: string
  value: string
  /** The only site whose visitors may get the fact; null for every site. */
  tenant_id: string | null
  /** 1 for a fact that visitors' answers may use, else 0. */
  is_public: number
  created_at: number
  updated_at: number
}

interface RunsTable {
  id: string
  workspace_id: string
  prompt_id: string
  prompt_version: number
  user_id: string
  key_id: string | null
  request_id: string
  state: 'running' | 'done' | 'failed'
  locale: string
  model: string | null
  /** Thousandths of a credit. */
  credits_used: number | null
  input_tokens: number | null
  output_tokens: number | null
  /** The tokens that were charged, where the provider reports more than the hold paid for. */
  billed_input: number | null
  billed_output: number | null
  /** Set when the token counts are estimates, because the provider reported none. */
  estimated_at: number | null
  finish_reason: 'stop' | 'length' | 'aborted' | null
  code: string | null
  detail: string | null
  /** As JSON; null where they are too large, no longer kept or erased. */
  inputs: string | null
  created_at: number
  ended_at: number | null
}

interface RunImagesTable {
  id: string
  workspace_id: string
  run_id: string
  media_type: string
  /** Base64. */
  data: string
  created_at: number
  expires_at: number
}

declare module '../storage/database.ts' {
  interface Tables {
    prompts: PromptsTable
    prompt_versions: PromptVersionsTable
    memory: MemoryTable
    runs: RunsTable
    run_images: RunImagesTable
  }
}
