import type { Transaction } from '../context.ts'
import { type Settlement, isOver, settleTogether } from '../credits/ledger.ts'
import { emit } from '../events.ts'
import { type Milli, toCredits } from '../lib/money.ts'
import type { GenerateEnd, ImageAnswer } from '../models/model.ts'
import { storeAnswer } from '../platform/idempotency.ts'
import type { OpenRun } from './execute.ts'
import { keepImages } from './images.ts'
import { costOf } from './prices.ts'
import type { FinishReason, RunAnswer } from './schema.ts'
import { type RunEnd, finishRuns } from './store.runs.ts'

/** What a run made, complete or as far as it came. */
export interface Made {
  /** Empty where nobody needs it whole: a stream that cannot be asked for again. */
  content: string
  images: ImageAnswer['images']
  end: Omit<GenerateEnd, 'finishReason'> & { finishReason: FinishReason }
}

/** A run that is to be paid for, and what it made. */
export interface Settling {
  run: OpenRun
  made: Made
}

/** One commit: the prices, the ends of the runs, their events, images and answers for a retry. */
export async function settleRuns(
  tx: Transaction,
  workspaceId: string,
  asked: readonly Settling[],
): Promise<(RunAnswer | Error)[]> {
  const ends = asked.map(endOf)
  const remaining = await settleTogether(tx, workspaceId, ends)
  const paid = asked.filter((_, at) => remaining[at] !== undefined)
  await finishRuns(
    tx.db,
    paid.map((settling) => rowOf(tx, settling)),
  )
  const answers: (RunAnswer | Error)[] = []
  for (const [at, settling] of asked.entries()) {
    const left = remaining[at]
    answers.push(
      left === undefined ? isOver(settling.run.hold) : await conclude(tx, settling, left),
    )
  }
  return answers
}

function costOfRun({ run, made }: Settling): number {
  const { usage } = made.end
  return costOf(run.prompt, { usage, images: made.images.length, hold: run.hold.amount })
}

function endOf(settling: Settling): Settlement {
  const { run, made } = settling
  const usage = { promptId: run.prompt.promptId, ...run.usedBy, ...made.end.usage }
  return { hold: run.hold, cost: costOfRun(settling), usage }
}

function rowOf(tx: Transaction, settling: Settling): RunEnd {
  const { run, made } = settling
  const { usage, model, finishReason, isEstimated } = made.end
  const now = tx.now()
  return {
    id: run.hold.id,
    workspace_id: run.workspaceId,
    model,
    credits_used: costOfRun(settling),
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    estimated_at: isEstimated ? now : null,
    finish_reason: finishReason,
    ended_at: now,
  }
}

/** Keeps and announces what a paid run answers. */
async function conclude(tx: Transaction, settling: Settling, remaining: Milli): Promise<RunAnswer> {
  const { run, made } = settling
  const { prompt, hold } = run
  const { usage, model, finishReason } = made.end
  const images = await keepImages(tx, run, made.images)
  const answer: RunAnswer = {
    run_id: hold.id,
    prompt_id: prompt.promptId,
    prompt_version: prompt.version,
    content: made.content,
    credits_used: toCredits(costOfRun(settling)),
    credits_remaining: toCredits(remaining),
    usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
    model,
    locale: run.locale,
    finish_reason: finishReason,
    ...(prompt.kind === 'image' ? { images } : {}),
  }
  await emitExecuted(tx, run, answer)
  if (run.key) await storeAnswer(tx, run.key, JSON.stringify(answer))
  return answer
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
