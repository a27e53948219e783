interface TestQuestionsTable {
  id: string
  workspace_id: string
  tenant_id: string
  question: string
  /** JSON of `Expected`. */
  expected: string
  created_at: number
}

/** Runs of test sets: a queue, and the record of what ended. */
interface TestRunsTable {
  id: string
  workspace_id: string
  tenant_id: string
  /** The member who started the run, and the key that did so in the member's place. */
  user_id: string
  key_id: string | null
  state: 'waiting' | 'done' | 'failed'
  due_at: number
  attempts: number
  lease_token: string | null
  lease_until: number | null
  /** Why the run failed, as a sentence for the workspace. */
  error: string | null
  created_at: number
  ended_at: number | null
}

interface TestResultsTable {
  run_id: string
  question_id: string
  workspace_id: string
  outcome: 'right' | 'partly' | 'refused' | 'wrong'
  /** Whether retrieval found what was expected; null where nothing was. */
  is_found: number | null
  answer: string
  confidence: number
  /** Thousandths of a credit. */
  credits: number
}

declare module '../storage/database.ts' {
  interface Tables {
    test_questions: TestQuestionsTable
    test_runs: TestRunsTable
    test_results: TestResultsTable
  }
}
