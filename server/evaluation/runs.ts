import { type Context, transaction } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { type JobFailure, type RunningWorker, startQueueWorker } from '../jobs/queue-worker.ts'
import { MINUTE_MS, SECOND_MS } from '../lib/durations.ts'
import { newId } from '../lib/ids.ts'
import type { UserCaller } from '../platform/auth/authenticator.ts'
import { findTenant } from '../tenants/tenants.ts'
import { askQuestion } from './ask.ts'
import { Expected } from './schema.ts'
import {
  type TestRunRow,
  countTestQuestions,
  deleteTestRuns,
  findNextQuestion,
  insertTestResult,
  insertTestRun,
  listLastRuns,
  testRuns,
} from './store.ts'
import { judgeAnswer } from './verdict.ts'

const MAX_CONCURRENCY = 2
const LEASE_TTL_MS = 2 * MINUTE_MS
const HEARTBEAT_INTERVAL_MS = 30 * SECOND_MS
/** Upper bound of the delay of a run whose notification was lost. */
const POLL_INTERVAL_MS = 5 * SECOND_MS
const RETRY_DELAY_MS = 5 * SECOND_MS
const MAX_ATTEMPTS = 5
const STOP_TIMEOUT_MS = 3 * SECOND_MS
/** The last run, and the one that it is compared with. */
const KEPT_RUNS = 2
const FAILED = 'The run broke off. Start it again.'

/**
 * Enqueues a run of a tenant's test set. Throws 409 for an empty test set, and while another run of
 * the tenant is open.
 */
export function startRunOf(
  ctx: Context,
  caller: UserCaller,
  tenant: { workspaceId: string; tenantId: string },
): Promise<TestRunRow> {
  return transaction(ctx, async (tx) => {
    if ((await countTestQuestions(tx.db, tenant)) === 0) {
      throw new AppError('conflict', 'The test set is empty. Add questions first.')
    }
    const now = tx.now()
    const row: TestRunRow = {
      id: newId('tr'),
      workspace_id: tenant.workspaceId,
      tenant_id: tenant.tenantId,
      user_id: caller.id,
      key_id: caller.keyId ?? null,
      state: 'waiting',
      due_at: now,
      attempts: 0,
      lease_token: null,
      lease_until: null,
      error: null,
      created_at: now,
      ended_at: null,
    }
    if (!(await insertTestRun(tx.db, row))) {
      throw new AppError('conflict', 'This test set is already running. Wait for its results.')
    }
    testRuns.notify(tx)
    return row
  })
}

/** Starts the worker of test runs. */
export function startTestRuns(ctx: Context, isSingleProcess: boolean): RunningWorker {
  return startQueueWorker(
    ctx,
    {
      queue: testRuns,
      concurrency: MAX_CONCURRENCY,
      leaseMs: LEASE_TTL_MS,
      heartbeatMs: HEARTBEAT_INTERVAL_MS,
      pollMs: POLL_INTERVAL_MS,
      maxAttempts: MAX_ATTEMPTS,
      run: (run, signal) => runTestSet(ctx, run, signal),
      classify,
      retryDelayMs: ({ attempts }) => (attempts < MAX_ATTEMPTS ? RETRY_DELAY_MS : undefined),
      async onDead(run, reason = FAILED) {
        await testRuns.kill(ctx.db, run, { error: reason, now: ctx.now() })
      },
      onStop: 'release',
      stopTimeoutMs: STOP_TIMEOUT_MS,
    },
    { isSingleProcess },
  )
}

/** Exhausted credits end the run; a failure of the model is retried. */
function classify(error: unknown): JobFailure {
  if (!(error instanceof AppError)) {
    return { reason: FAILED, isExpected: false, isPermanent: false }
  }
  return {
    reason: error.message,
    isExpected: true,
    isPermanent: error.code === 'credits_exhausted',
  }
}

/** Asks the questions one by one; a result is stored in the commit that pays for its answer. */
async function runTestSet(ctx: Context, run: TestRunRow, signal: AbortSignal): Promise<void> {
  const { id, workspace_id: workspaceId, tenant_id: tenantId } = run
  const askedBy = { userId: run.user_id, keyId: run.key_id ?? undefined }
  for (;;) {
    const tenant = await findTenant(ctx.db, tenantId)
    const row = tenant && (await findNextQuestion(ctx.db, run))
    if (!row) break
    const { question } = row
    const expected = Expected.parse(JSON.parse(row.expected))
    await askQuestion(ctx, tenant, { question, askedBy }, signal, async (tx, asked, cost) => {
      if (!(await testRuns.lock(tx.db, run))) throw new Error('The lease of the run is lost.')
      const { verdict, isFound } = judgeAnswer(expected, asked)
      await insertTestResult(tx.db, {
        run_id: id,
        question_id: row.id,
        workspace_id: workspaceId,
        outcome: verdict,
        is_found: isFound === null ? null : Number(isFound),
        answer: asked.answer,
        confidence: asked.confidence,
        credits: cost,
      })
    })
  }
  await transaction(ctx, async (tx) => {
    if (!(await testRuns.complete(tx.db, run, tx.now()))) return
    const runs = await listLastRuns(tx.db, { workspaceId, tenantId }, 100)
    const old = runs.slice(KEPT_RUNS).map((each) => each.id)
    await deleteTestRuns(tx.db, workspaceId, old)
  })
}
