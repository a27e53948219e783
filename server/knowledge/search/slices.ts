import { setImmediate } from 'node:timers/promises'

/** So long work runs at a stretch before everything else has its turn. */
const SLICE_MS = 10

/**
 * Runs steps in slices of 10 ms, so that they do not block the event loop, and returns their result. What
 * `onStep` throws ends them.
 */
export async function runInSlices<Step, Result>(
  steps: Generator<Step, Result>,
  onStep?: (step: Step) => void,
): Promise<Result> {
  let step = steps.next()
  let started = performance.now()
  while (step.done !== true) {
    onStep?.(step.value)
    if (performance.now() - started > SLICE_MS) {
      await setImmediate()
      started = performance.now()
    }
    step = steps.next()
  }
  return step.value
}
