import type { MeteredCall, ModelMeter } from './metrics.ts'
import {
  type GeneratePiece,
  type GenerateRequest,
  type Model,
  ModelFailure,
  type Usage,
} from './model.ts'

/** The first call and two retries, across all models. */
const MAX_TRIES = 3

/** Retries stop at the signal's abort, with a backoff before each. */
export interface FailoverOptions {
  signal: AbortSignal
  meter: ModelMeter
  /** Resolves after the backoff before this try, counted from 2. */
  backoff(tryNumber: number): Promise<void>
}

/**
 * Streams the answer of the first model that begins one. Models are tried in order, and again from
 * the start, until the first piece has arrived: a stream that breaks off later is not repeated.
 * Throws the last `ModelFailure`.
 */
export function generateWithFailover(
  models: readonly Model[],
  request: GenerateRequest,
  options: FailoverOptions,
): AsyncIterableIterator<GeneratePiece, void, void> {
  let begun: AsyncIterator<GeneratePiece, void, void> | undefined
  let call: MeteredCall | undefined

  async function begin(): Promise<IteratorResult<GeneratePiece, void>> {
    for (let number = 1; ; number += 1) {
      const model = modelFor(models, number)
      const asked = forModel(request, models, model)
      call = options.meter.begin(model, asked.model ?? model.defaults?.text)
      const answer = model.generate(asked, options.signal)
      const pieces = answer[Symbol.asyncIterator]()
      try {
        const first = await pieces.next()
        call.began(first)
        begun = pieces
        return first
      } catch (error) {
        call.failed(error)
        if (!canRetry(error, number, models, options.signal)) throw error
      }
      await options.backoff(number + 1)
    }
  }

  // A plain iterator, because a generator would add a step to each of an answer's many pieces.
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: () => (begun && call ? call.follow(begun.next()) : begin()),
    return: async () => {
      await begun?.return?.()
      return { done: true, value: undefined }
    },
  }
}

/**
 * Calls models in order until one answers, for answers without a stream. `ask` gets the requested
 * name for the first model only, because the name belongs to its provider. Throws the last failure.
 */
export async function callWithFailover<Answer extends { usage: Usage }>(
  models: readonly Model[],
  name: string | undefined,
  ask: (model: Model, name: string | undefined) => Promise<Answer>,
  options: FailoverOptions,
): Promise<Answer> {
  for (let number = 1; ; number += 1) {
    const model = modelFor(models, number)
    const requested = model === models[0] ? name : undefined
    const call = options.meter.begin(model, requested ?? model.defaults?.image)
    try {
      const answer = await ask(model, requested)
      call.answered(answer.usage)
      return answer
    } catch (error) {
      call.failed(error)
      if (!canRetry(error, number, models, options.signal)) throw error
    }
    await options.backoff(number + 1)
  }
}

function modelFor(models: readonly Model[], number: number): Model {
  const model = models[(number - 1) % models.length]
  if (!model) throw new Error('There is no model to call.')
  return model
}

/** A requested model name belongs to the first provider; the others use their configured model. */
function forModel(
  request: GenerateRequest,
  models: readonly Model[],
  model: Model,
): GenerateRequest {
  return model === models[0] ? request : { ...request, model: undefined }
}

function canRetry(
  error: unknown,
  number: number,
  models: readonly Model[],
  signal: AbortSignal,
): boolean {
  if (!(error instanceof ModelFailure) || number >= MAX_TRIES || signal.aborted) return false
  // A single model that timed out or refused for good would do so again.
  return models.length > 1 ? number < models.length || error.isTransient : isRetryableAlone(error)
}

function isRetryableAlone(error: ModelFailure): boolean {
  return error.isTransient && error.kind !== 'timeout'
}
