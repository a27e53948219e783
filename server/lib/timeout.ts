/** Resolves when all of `work` is over, or after `ms`, whichever is first. Rejects as `work` does. */
export async function waitAtMost(ms: number, work: Iterable<Promise<unknown>>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<void>((done) => {
    timer = setTimeout(done, ms)
  })
  try {
    await Promise.race([Promise.all(work), tooLate])
  } finally {
    clearTimeout(timer)
  }
}
