/**
 * Resolves once all of `work` is settled, or after `ms`, whichever is first; work that takes longer
 * goes on. Rejects as soon as one promise of `work` does.
 */
export async function settleWithin(ms: number, work: Iterable<Promise<unknown>>): Promise<void> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  try {
    await Promise.race([Promise.all(work), timeout])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Resolves or rejects as `work` does; rejects with `error()` where `work` takes longer than `ms`.
 */
export async function rejectAfter<Result>(
  ms: number,
  work: Promise<Result>,
  error: () => Error,
): Promise<Result> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(error()), ms)
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
