import { parentPort, workerData } from 'node:worker_threads'

const PAUSE_MS = 100
const TIMEOUT_MS = 15_000

/**
 * Asks `/health/live` again and again on a connection of its own, and after each answer posts the
 * slowest one in ms. A thread of its own: the one that makes the load is late itself.
 */
async function watch(url: string): Promise<void> {
  let slowest = 0
  for (;;) {
    const started = performance.now()
    const isWell = await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
      .then(async (response) => {
        await response.arrayBuffer()
        return response.ok
      })
      .catch(() => false)
    slowest = Math.max(slowest, isWell ? performance.now() - started : Infinity)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage(slowest)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

await watch(String(workerData))
