import { type GeneratePiece, type GenerateRequest, type Model, ModelFailure } from './model.ts'

/** The first call and two more, whoever they go to (contract, section 4). */
const MAX_TRIES = 3

/** How calls are tried again: until the signal, with a pause before each further try. */
export interface FailoverOptions {
  signal: AbortSignal
  /** Resolves after the pause that belongs before this try, counted from 2. */
  backoff(tryNumber: number): Promise<void>
}

/**
 * The answer of the first model that begins one. Models are tried in their order, and again from
 * the start, but only until the first piece has come: what was begun is never begun again.
 */
export function generateWithFailover(
  models: readonly Model[],
  request: GenerateRequest,
  options: FailoverOptions,
): AsyncIterableIterator<GeneratePiece, void, void> {
  let begun: AsyncIterator<GeneratePiece, void, void> | undefined

  async function begin(): Promise<IteratorResult<GeneratePiece, void>> {
    for (let number = 1; ; number += 1) {
      const model = modelFor(models, number)
      const answer = model.generate(forModel(request, models, model), options.signal)
      const pieces = answer[Symbol.asyncIterator]()
      try {
        const first = await pieces.next()
        begun = pieces
        return first
      } catch (error) {
        if (!canRetry(error, number, models, options.signal)) throw error
      }
      await options.backoff(number + 1)
    }
  }

  // Not a generator: each piece would have to go through it, and most answers have many.
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: () => begun?.next() ?? begin(),
    return: async () => {
      await begun?.return?.()
      return { done: true, value: undefined }
    },
  }
}

/** The answer of the first model that gives one; for calls whose answer comes in one piece. */
export async function callWithFailover<Answer>(
  models: readonly Model[],
  ask: (model: Model) => Promise<Answer>,
  options: FailoverOptions,
): Promise<Answer> {
  for (let number = 1; ; number += 1) {
    try {
      return await ask(modelFor(models, number))
    } catch (error) {
      if (!canRetry(error, number, models, options.signal)) throw error
    }
    await options.backoff(number + 1)
  }
}

function modelFor(models: readonly Model[], number: number): Model {
  const model = models[(number - 1) % models.length]
  if (!model) throw new Error('There is no model to ask.')
  return model
}

/** A model's name means something to the provider it was chosen for, and nothing to the others. */
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
  // Where there is only one model, one that was silent or refused for good would do so again.
  return models.length > 1 ? number < models.length || error.isTransient : isRetryableAlone(error)
}

function isRetryableAlone(error: ModelFailure): boolean {
  return error.isTransient && error.kind !== 'timeout'
}
