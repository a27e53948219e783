import { setImmediate } from 'node:timers/promises'
import { TransactionBatcher } from '../../runtime/transaction-batcher.ts'
import type { Context, Transaction } from '../../context.ts'
import { type Hold, holdMany } from '../../credits/ledger.ts'
import { usedBy } from '../../credits/usage.ts'
import { AppError, type FieldError, invalidFields } from '../../http/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Model } from '../../models/model.ts'
import { PLAN_RANKS, PlanId } from '../../platform/auth/plans.ts'
import type { UserCaller } from '../../platform/auth/authenticator.ts'
import { type RequestKey, claimRequest, releaseClaim } from '../../platform/idempotency.ts'
import { dialectOf } from '../../storage/dialect.ts'
import { availabilityOn } from '../availability.ts'
import { InputSchemas } from '../inputs.ts'
import { loadFacts } from '../facts.ts'
import type { OpenRun } from './open-run.ts'
import { chooseModels } from '../installation-models.ts'
import { outputCap, priceRange } from '../prices.ts'
import { PromptResolver, type ResolvedPrompt, defaultLocale } from '../prompt-resolver.ts'
import { type RunPiece, runPrompt } from './run.ts'
import type { ExecutePrompt, RunAnswer } from '../schema.ts'
import { type RunSettlement, settleRuns } from './settle.ts'
import { type RunStart, insertRuns } from './store.ts'
import { render } from '../template.ts'

const MAX_IMAGES = 4

/** Services that all runs of a process share. */
export interface RunServices {
  schemas: InputSchemas
  runnables: PromptResolver
  opening: TransactionBatcher<Opening, Hold>
  settling: TransactionBatcher<RunSettlement, RunAnswer>
}

/** Opens the services of a process, which batch its runs. */
export function openRunServices(): RunServices {
  return {
    schemas: new InputSchemas(),
    runnables: new PromptResolver(),
    // A hold leaves the process only with its settlement, whose commit makes the hold durable too.
    opening: new TransactionBatcher<Opening, Hold>(openRuns, { isAsyncCommit: true }),
    settling: new TransactionBatcher<RunSettlement, RunAnswer>(settleRuns),
  }
}

/**
 * Starts a run and returns its pieces. Throws every refusal before the first piece, in the
 * contract's order: 404, 402 `plan_insufficient`, 422, 409 `model_required`, 409, 402
 * for the credits.
 */
export async function startRun(
  ctx: Context,
  services: RunServices,
  caller: UserCaller,
  request: {
    input: ExecutePrompt
    key: RequestKey | undefined
    requestId: string
    stop: AbortController
  },
): Promise<AsyncIterableIterator<RunPiece>> {
  const { input, key, requestId, stop } = request
  const { workspaceId } = caller
  const asked = input.locale ?? caller.locale
  const prompt = await services.runnables.open(ctx, workspaceId, input.prompt_id, asked)
  assertPlanAllows(prompt, caller)
  const locale = input.locale ?? defaultLocale(prompt, caller.locale)
  const check = await services.schemas.checkOf(prompt.schemaName, prompt.inputsSchema)
  const faults = [...check(input.inputs), ...localeFaults(prompt, locale)]
  if (faults.length > 0) throw invalidFields(faults)
  const { text, instructions, ready } = await renderTexts(ctx, caller, prompt, input.inputs)
  const texts = [text, instructions ?? '']
  const images = prompt.kind === 'image' ? requestedImages(input.inputs) : 0
  const price = priceRange(prompt, texts, images)
  const { models, maxOutputTokens } = await chooseModels(ctx, workspaceId, prompt, {
    texts,
    images,
  })
  assertModelAvailable(models, prompt)
  const startedAt = ctx.now()
  const begun = Promise.withResolvers<AsyncIterableIterator<RunPiece>>()
  let isBegun = false
  const onHoldGranted = (hold: Hold): void => {
    if (isBegun) return
    isBegun = true
    const run: OpenRun = {
      workspaceId,
      userId: caller.id,
      usedBy: usedBy(caller),
      prompt,
      inputs: input.inputs,
      text,
      instructions,
      ready,
      images,
      maxOutputTokens: outputCap({ ...prompt, maxOutputTokens }, texts, hold.amount),
      models,
      isWhole: !input.stream,
      locale,
      hold,
      holdCommitted: opened,
      key,
      requestId,
      startedAt,
    }
    begun.resolve(startEagerly(runPrompt(ctx, services.settling, run, stop)))
  }
  const opening = {
    runId: newId('run'),
    caller,
    prompt,
    price,
    locale,
    key,
    requestId,
    onHoldGranted,
  }
  const opened = services.opening.run(ctx, workspaceId, opening)
  opened.then(onHoldGranted, (error: unknown) => {
    begun.reject(error)
    // The model may have been called before the hold failed.
    stop.abort(error)
  })
  return begun.promise
}

/** Starts a generator before its first piece is read. */
function startEagerly<Piece>(pieces: AsyncGenerator<Piece>): AsyncIterableIterator<Piece> {
  let first: Promise<IteratorResult<Piece>> | undefined = pieces.next()
  first.catch(() => undefined)
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next() {
      const next = first ?? pieces.next()
      first = undefined
      return next
    },
    return: () => pieces.return(undefined),
  }
}

/** A run to open: its idempotency claim, its hold and its row. */
export interface Opening {
  runId: string
  caller: UserCaller
  prompt: ResolvedPrompt
  price: { max: number; min: number }
  locale: string
  key: RequestKey | undefined
  requestId: string
  /** Called when the hold is granted, so that the model is called while the hold is written. */
  onHoldGranted: (hold: Hold) => void
}

/** Opens runs in one commit; returns each run's hold or refusal. Locks the balance. */
export async function openRuns(
  tx: Transaction,
  workspaceId: string,
  openings: readonly Opening[],
): Promise<(Hold | AppError)[]> {
  const claims: (AppError | undefined)[] = []
  for (const { key } of openings) claims.push(key && (await claim(tx, key)))
  const claimed = openings.filter((_, at) => claims[at] === undefined)
  const holds = await holdMany(
    tx,
    workspaceId,
    claimed.map(({ runId, price }) => ({ runId, amount: price.max, min: price.min })),
    (outcomes) => grant(tx, claimed, outcomes),
  )
  const starts: RunStart[] = []
  for (const [at, { key, ...opening }] of claimed.entries()) {
    const hold = holds[at]
    if (hold && !(hold instanceof AppError)) starts.push(startOf(tx, hold, opening))
    else if (key) await releaseClaim(tx, key, '')
  }
  await insertRuns(tx.db, starts)
  let next = 0
  return claims.flatMap((refusal) => refusal ?? holds[next++] ?? [])
}

/**
 * Starts runs whose hold is granted, so that the model is called before the hold is written. On
 * SQLite the hold is written before a response can arrive: the request leaves after one turn of the
 * event loop, and this function waits for that turn. On Postgres, other transactions could still see
 * the credits as free, so that runs start after the commit.
 */
async function grant(
  { db }: Transaction,
  claimed: readonly Opening[],
  holds: readonly (Hold | AppError)[],
): Promise<void> {
  if (dialectOf(db) !== 'sqlite') return
  for (const [at, { onHoldGranted }] of claimed.entries()) {
    const hold = holds[at]
    if (hold && !(hold instanceof AppError)) onHoldGranted(hold)
  }
  await setImmediate()
}

function startOf(
  tx: Transaction,
  hold: Hold,
  { caller, prompt, requestId, locale }: Omit<Opening, 'key'>,
): RunStart {
  return {
    id: hold.id,
    workspace_id: hold.workspaceId,
    prompt_id: prompt.promptId,
    prompt_version: prompt.version,
    user_id: caller.id,
    key_id: caller.keyId ?? null,
    request_id: requestId,
    locale,
    created_at: tx.now(),
  }
}

/** Claims the request's idempotency key; returns the refusal of a claim that is taken. */
async function claim(tx: Transaction, key: RequestKey): Promise<AppError | undefined> {
  try {
    await claimRequest(tx, key)
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

function assertPlanAllows(prompt: ResolvedPrompt, { plan }: UserCaller): void {
  const { kind, minPlan } = prompt
  const min: PlanId = kind === 'bot' && minPlan === 'starter' ? 'klinik_pro' : minPlan
  if (PLAN_RANKS[plan] >= PLAN_RANKS[min]) return
  const enough = PlanId.options.filter((one) => PLAN_RANKS[one] >= PLAN_RANKS[min])
  throw new AppError(
    'plan_insufficient',
    `This prompt requires one of these plans: ${enough.join(', ')}.`,
    { more: { required_plan: min } },
  )
}

function localeFaults({ locales }: ResolvedPrompt, locale: string): FieldError[] {
  if (locales.length === 0 || locales.includes(locale)) return []
  return [{ path: '/locale', message: `must be one of: ${locales.join(', ')}` }]
}

function assertModelAvailable(models: readonly Model[], prompt: ResolvedPrompt): void {
  const { kind, model, task } = prompt
  if (availabilityOn(models, { kind, model, hasTask: task !== undefined }).available) return
  throw new AppError(
    'model_required',
    kind === 'image'
      ? 'No image model is configured. Set IMAGE_MODEL_NAME, or choose an image_model for the workspace.'
      : 'No model that writes is set. Set MODEL_PROVIDER, or choose a model for the workspace.',
  )
}

/** Renders the texts of a prompt with the inputs and the workspace's facts. */
export async function renderTexts(
  ctx: Context,
  caller: UserCaller,
  { template, instructions, ready, facts: names }: ResolvedPrompt,
  inputs: Record<string, unknown>,
): Promise<Pick<OpenRun, 'text' | 'instructions' | 'ready'>> {
  const workspace = { id: caller.workspaceId, plan: caller.plan }
  const facts = await loadFacts(ctx, workspace, names)
  return {
    text: render(template, inputs, facts),
    instructions: instructions && render(instructions, inputs, facts),
    ready: ready && render(ready, inputs, facts),
  }
}

/** Returns the number of images, which the input `count` of an image prompt may set. */
function requestedImages({ count }: Record<string, unknown>): number {
  if (typeof count !== 'number' || !Number.isInteger(count)) return 1
  return Math.min(Math.max(count, 1), MAX_IMAGES)
}
