import type { MeteredCall, ModelMeter } from './metrics.ts'
import { type GeneratePiece, type GenerateRequest, type Model, ModelFailure } from './model.ts'
import type { Usage } from './provider.ts'

/** The first call and two more, whoever they go to (contract, section 4). */
const MOST_TRIES = 3

/** How calls are tried again: until the signal, with a pause before each further try. */
export interface Attempts {
  signal: AbortSignal
  meter: ModelMeter
  /** Resolves after the pause that belongs before this try, counted from 2. */
  pause(tryNumber: number): Promise<void>
}

/**
 * The answer of the first model that begins one. Models are tried in their order, and again from
 * the start, but only until the first piece has come: what was begun is never begun again.
 */
export function generateWith(
  models: readonly Model[],
  request: GenerateRequest,
  attempts: Attempts,
): AsyncIterableIterator<GeneratePiece, void, void> {
  let begun: AsyncIterator<GeneratePiece, void, void> | undefined
  let call: MeteredCall | undefined

  async function begin(): Promise<IteratorResult<GeneratePiece, void>> {
    for (let number = 1; ; number += 1) {
      const model = modelFor(models, number)
      const asked = forModel(request, models, model)
      call = attempts.meter.begin(model, asked.model ?? model.defaults?.text)
      const answer = model.generate(asked, attempts.signal)
      const pieces = answer[Symbol.asyncIterator]()
      try {
        const first = await pieces.next()
        call.began(first)
        begun = pieces
        return first
      } catch (error) {
        call.failed(error)
        if (!mayTryAgain(error, number, models, attempts.signal)) throw error
      }
      await attempts.pause(number + 1)
    }
  }

  // Not a generator: each piece would have to go through it, and most answers have many.
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

/** The answer of the first model that gives one; for images, whose answer comes in one piece. */
export async function askOneOf<Answer extends { usage: Usage }>(
  models: readonly Model[],
  name: string | undefined,
  ask: (model: Model) => Promise<Answer>,
  attempts: Attempts,
): Promise<Answer> {
  for (let number = 1; ; number += 1) {
    const model = modelFor(models, number)
    const call = attempts.meter.begin(model, name ?? model.defaults?.image)
    try {
      const answer = await ask(model)
      call.answered(answer.usage)
      return answer
    } catch (error) {
      call.failed(error)
      if (!mayTryAgain(error, number, models, attempts.signal)) throw error
    }
    await attempts.pause(number + 1)
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

function mayTryAgain(
  error: unknown,
  number: number,
  models: readonly Model[],
  signal: AbortSignal,
): boolean {
  if (!(error instanceof ModelFailure) || number >= MOST_TRIES || signal.aborted) return false
  // Where there is only one model, one that was silent or refused for good would do so again.
  return models.length > 1 ? number < models.length || error.isTransient : isPassing(error)
}

function isPassing(error: ModelFailure): boolean {
  return error.isTransient && error.kind !== 'timeout'
}
