import type { ChildProcess } from 'node:child_process'
import autocannon from 'autocannon'
import { QUESTIONS } from '../chat.ts'
import { type Figure, stored } from '../report/figure.ts'
import { processorMs, residentMegabytes } from '../server.ts'

const SECONDS = 3
const WARM_UP_SECONDS = 1
const IN_FLIGHT = 8

/** A site, and a visitor of it. */
export interface Visited {
  tenantId: string
  token: string
}

/** Returns a figure of which less is better, at one size of what grows. */
export function growing(axis: string, at: number) {
  return (id: string, label: string, value: number, unit: string): Figure => ({
    id: `${at}.${id}`,
    label,
    value: stored(value),
    unit,
    better: 'lower',
    growth: { axis, at },
  })
}

/** Runs `work` for each item, so many at once. */
export async function inParallel<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = items.toReversed()
  const worker = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** Measures chat turns, their questions spread over the sites. Throws for a turn that is refused. */
export async function measureTurns(
  { url, server }: { url: string; server: ChildProcess },
  sites: readonly Visited[],
): Promise<{ cpuMs: number; p50: number; megabytes: number }> {
  const requests = sites.flatMap(({ tenantId, token }, site) =>
    // A single site is asked all questions, many sites one each.
    QUESTIONS.filter(
      (_, at) => sites.length < QUESTIONS.length || at === site % QUESTIONS.length,
    ).map((message) => ({
      body: JSON.stringify({ tenant_id: tenantId, message }),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    })),
  )
  const run = (duration: number) =>
    autocannon({
      url: `${url}/api/v1/chatbot/message`,
      connections: IN_FLIGHT,
      duration,
      method: 'POST',
      headers: {},
      requests,
    })
  await run(WARM_UP_SECONDS)
  const before = processorMs(server)
  const result = await run(SECONDS)
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} answers were no 2xx, ${result.errors} broke off.`)
  }
  return {
    cpuMs: (processorMs(server) - before) / result['2xx'],
    p50: result.latency.p50,
    megabytes: residentMegabytes(server),
  }
}
