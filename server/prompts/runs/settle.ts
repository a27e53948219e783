import { type Transaction, allDone } from '../../context.ts'
import { type Settlement, holdClosedError, settleMany } from '../../credits/ledger.ts'
import { emit, prefetch } from '../../events.ts'
import { type Milli, toCredits } from '../../lib/money.ts'
import type { GenerateEnd, ImageAnswer, Usage } from '../../models/model.ts'
import { storeResponse } from '../../platform/idempotency.ts'
import { serializeTransaction } from '../../storage/query-hints.ts'
import { saveImages } from './images.ts'
import type { OpenRun } from './open-run.ts'
import { billedTokens, costOf } from '../prices.ts'
import type { FinishReason, RunAnswer } from '../schema.ts'
import { type RunEnd, finishRuns } from './store.ts'

/** The result of a run, complete or partial. */
export interface RunResult {
  /** Empty for a stream without a request id, which cannot be replayed. */
  content: string
  images: ImageAnswer['images']
  end: Omit<GenerateEnd, 'finishReason'> & { finishReason: FinishReason }
}

/** A run to settle, and its result. */
export interface RunSettlement {
  run: OpenRun
  result: RunResult
}

/**
 * Settles runs in one commit: costs, ends, images, events and stored answers. Locks the balance.
 */
export async function settleRuns(
  tx: Transaction,
  workspaceId: string,
  settlements: readonly RunSettlement[],
): Promise<(RunAnswer | Error)[]> {
  await serializeTransaction(tx.db, workspaceId)
  const place = { workspaceId, tenantId: undefined, sessionId: undefined }
  const [remaining] = await allDone([
    settleMany(tx, workspaceId, settlements.map(toSettlement)),
    prefetch(tx, ['prompt.executed'], place),
  ])
  const paid = settlements.filter((_, at) => remaining[at] !== undefined)
  await finishRuns(
    tx.db,
    paid.map((settlement) => toRunEnd(tx, settlement)),
  )
  const answers: (RunAnswer | Error)[] = []
  for (const [at, settlement] of settlements.entries()) {
    const left = remaining[at]
    answers.push(
      left === undefined
        ? holdClosedError(settlement.run.hold)
        : await finishRun(tx, settlement, left),
    )
  }
  return answers
}

function costOfRun({ run, result }: RunSettlement): number {
  const { usage } = result.end
  return costOf(run.prompt, { usage, images: result.images.length, hold: run.hold.amount })
}

function billedOf({ run, result }: RunSettlement): Usage | undefined {
  return billedTokens(run.prompt, result.end.usage, run.hold.amount)
}

function toSettlement(settlement: RunSettlement): Settlement {
  const { run, result } = settlement
  const usage = { promptId: run.prompt.promptId, ...run.usedBy, ...result.end.usage }
  return { hold: run.hold, cost: costOfRun(settlement), usage, billed: billedOf(settlement) }
}

function toRunEnd(tx: Transaction, settlement: RunSettlement): RunEnd {
  const { run, result } = settlement
  const { usage, model, finishReason, isEstimated } = result.end
  const billed = billedOf(settlement)
  const now = tx.now()
  return {
    id: run.hold.id,
    workspace_id: run.workspaceId,
    model,
    credits_used: costOfRun(settlement),
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    billed_input: billed?.inputTokens ?? null,
    billed_output: billed?.outputTokens ?? null,
    estimated_at: isEstimated ? now : null,
    finish_reason: finishReason,
    ended_at: now,
  }
}

/** Saves, emits and returns the answer of a settled run. */
async function finishRun(
  tx: Transaction,
  settlement: RunSettlement,
  remaining: Milli,
): Promise<RunAnswer> {
  const { run, result } = settlement
  const { prompt, hold } = run
  const { usage, model, finishReason } = result.end
  const billed = billedOf(settlement)
  const images = await saveImages(tx, run, result.images)
  const answer: RunAnswer = {
    run_id: hold.id,
    prompt_id: prompt.promptId,
    prompt_version: prompt.version,
    content: result.content,
    credits_used: toCredits(costOfRun(settlement)),
    credits_remaining: toCredits(remaining),
    usage: { ...tokensOf(usage), ...(billed ? { billed: tokensOf(billed) } : {}) },
    model,
    locale: run.locale,
    finish_reason: finishReason,
    ...(prompt.kind === 'image' ? { images } : {}),
  }
  await emitExecuted(tx, run, answer)
  if (run.key) await storeResponse(tx, run.key, JSON.stringify(answer))
  return answer
}

function tokensOf({ inputTokens, outputTokens }: Usage) {
  return { input_tokens: inputTokens, output_tokens: outputTokens }
}

async function emitExecuted(tx: Transaction, run: OpenRun, answer: RunAnswer): Promise<void> {
  await emit(tx, 'prompt.executed', {
    workspaceId: run.workspaceId,
    data: {
      run_id: answer.run_id,
      prompt_id: answer.prompt_id,
      prompt_version: answer.prompt_version,
      user_id: run.userId,
      credits_used: answer.credits_used,
      credits_remaining: answer.credits_remaining,
      duration_ms: Math.max(0, tx.now() - run.startedAt),
      locale: run.locale,
      request_id: run.requestId,
    },
  })
}
