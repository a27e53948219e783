import { refuseLate } from '../../runtime/load-shedding.ts'
import { TransactionBatcher } from '../../runtime/transaction-batcher.ts'
import type { Context } from '../../context.ts'
import type { Hold } from '../../credits/ledger.ts'
import { usedBy } from '../../credits/usage.ts'
import { AppError, type FieldError, invalidFields } from '../../http/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Model } from '../../models/model.ts'
import { PLAN_RANKS, PlanId } from '../../platform/auth/plans.ts'
import type { UserCaller } from '../../platform/auth/authenticator.ts'
import type { RequestKey } from '../../platform/idempotency.ts'
import { availabilityOn } from '../availability.ts'
import { InputSchemas } from '../inputs.ts'
import { loadFacts } from '../facts.ts'
import type { OpenRun } from './open-run.ts'
import { type Opening, StaleVersion, openInOneStatement, openRuns } from './opening.ts'
import { type RunModels, chooseModels } from '../installation-models.ts'
import { outputCap, priceRange } from '../prices.ts'
import { PromptResolver, type ResolvedPrompt, defaultLocale } from '../prompt-resolver.ts'
import { type RunEnds, type RunFailure, type RunPiece, failRuns, runPrompt } from './run.ts'
import type { ExecutePrompt, RunAnswer } from '../schema.ts'
import { type RunSettlement, settleRuns } from './settle.ts'
import { render } from '../template.ts'

const MAX_IMAGES = 4
/** Inputs beyond this length are not stored with the run. */
const MAX_STORED_INPUTS_BYTES = 32_768

/** Services that all runs of a process share. */
export interface RunServices extends RunEnds {
  schemas: InputSchemas
  runnables: PromptResolver
  opening: TransactionBatcher<Opening, Hold>
}

/** Opens the services of a process, which batch its runs. */
export function openRunServices(): RunServices {
  return {
    schemas: new InputSchemas(),
    runnables: new PromptResolver(),
    // A hold leaves the process only with its settlement, whose commit makes the hold durable too.
    opening: new TransactionBatcher<Opening, Hold>(openRuns, {
      isAsyncCommit: true,
      refuse: refuseLate,
      inOneStatement: openInOneStatement,
    }),
    settling: new TransactionBatcher<RunSettlement, RunAnswer>(settleRuns),
    failing: new TransactionBatcher<RunFailure, boolean>(failRuns),
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
  request: RunRequest,
): Promise<AsyncIterableIterator<RunPiece>> {
  const { input } = request
  const { workspaceId } = caller
  const remembered = services.runnables.recall(ctx, workspaceId, input.prompt_id)
  if (remembered) {
    // A refusal may be due to an earlier version: the current one decides.
    const plan = await refusedAsUndefined(planRun(ctx, services, caller, input, remembered))
    try {
      if (plan)
        return await beginRun(ctx, services, caller, request, { ...plan, isRemembered: true })
    } catch (error) {
      if (!(error instanceof StaleVersion)) throw error
    }
  }
  const asked = input.locale ?? caller.locale
  const prompt = await services.runnables.open(ctx, workspaceId, input.prompt_id, asked)
  const plan = await planRun(ctx, services, caller, input, prompt)
  return beginRun(ctx, services, caller, request, { ...plan, isRemembered: false })
}

async function refusedAsUndefined<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

interface RunRequest {
  input: ExecutePrompt
  key: RequestKey | undefined
  requestId: string
  stop: AbortController
}

/** A run that may begin, as far as its version of the prompt decides. */
interface RunPlan extends Pick<OpenRun, 'text' | 'instructions' | 'ready'>, RunModels {
  prompt: ResolvedPrompt
  locale: string
  images: number
  price: { max: number; min: number }
}

/** Checks a request against a version of its prompt. Throws its refusals. */
async function planRun(
  ctx: Context,
  { schemas }: RunServices,
  caller: UserCaller,
  input: ExecutePrompt,
  prompt: ResolvedPrompt,
): Promise<RunPlan> {
  assertPlanAllows(prompt, caller)
  const locale = input.locale ?? defaultLocale(prompt, caller.locale)
  const check = await schemas.checkOf(prompt.schemaName, prompt.inputsSchema)
  const faults = [...check(input.inputs), ...localeFaults(prompt, locale)]
  if (faults.length > 0) throw invalidFields(faults)
  const rendered = await renderTexts(ctx, caller, prompt, input.inputs)
  const texts = [rendered.text, rendered.instructions ?? '']
  const images = prompt.kind === 'image' ? requestedImages(input.inputs) : 0
  const price = priceRange(prompt, texts, images)
  const chosen = await chooseModels(ctx, caller.workspaceId, prompt, { texts, images })
  assertModelAvailable(chosen.models, prompt)
  return { prompt, locale, images, price, ...rendered, ...chosen }
}

/** Opens a run and calls its model. */
async function beginRun(
  ctx: Context,
  services: RunServices,
  caller: UserCaller,
  { input, key, requestId, stop }: RunRequest,
  plan: RunPlan & { isRemembered: boolean },
): Promise<AsyncIterableIterator<RunPiece>> {
  const { workspaceId } = caller
  const { isRemembered, price, maxOutputTokens, ...planned } = plan
  const { prompt, locale, text, instructions } = planned
  const startedAt = ctx.now()
  const begun = Promise.withResolvers<AsyncIterableIterator<RunPiece>>()
  let isBegun = false
  const onHoldGranted = (hold: Hold): void => {
    if (isBegun) return
    isBegun = true
    const texts = [text, instructions ?? '']
    const run: OpenRun = {
      ...planned,
      workspaceId,
      userId: caller.id,
      usedBy: usedBy(caller),
      inputs: input.inputs,
      maxOutputTokens: outputCap({ ...prompt, maxOutputTokens }, texts, hold.amount),
      isWhole: !input.stream,
      hold,
      holdCommitted: opened,
      key,
      requestId,
      startedAt,
    }
    begun.resolve(startEagerly(runPrompt(ctx, services, run, stop)))
  }
  const opening = {
    runId: newId('run'),
    caller,
    prompt,
    inputs: keptInputs(caller, input.inputs),
    isRemembered,
    price,
    locale,
    key,
    requestId,
    onHoldGranted,
  }
  const opened = services.opening.run(ctx, workspaceId, opening, {
    maxWaitMs: ctx.config.load.maxWaitMs,
  })
  opened.then(onHoldGranted, (error: unknown) => {
    begun.reject(error)
    // The model may have been called before the hold failed.
    if (isBegun) stop.abort(error)
  })
  return begun.promise
}

/**
 * Returns inputs as they are stored: those of people, who run a prompt again by hand. Inputs of an API
 * key, and those that are too large, are `null`: a program has its own, often about its customers.
 */
function keptInputs({ keyId }: UserCaller, inputs: Record<string, unknown>): string | null {
  if (keyId !== undefined) return null
  const text = JSON.stringify(inputs)
  return Buffer.byteLength(text) > MAX_STORED_INPUTS_BYTES ? null : text
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
