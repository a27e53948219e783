import type { Customer } from './cluster.ts'

const GIVE_UP_MS = 40_000

/** A call and how it ended; status 0 is a connection that broke. */
export interface Outcome {
  id: string
  customer: Customer
  status: number
  text: string
  startedAt: number
  ms: number
}

/** Callers that ask one after the other, until they are stopped. */
export interface Traffic {
  outcomes: Outcome[]
  stop(): Promise<Outcome[]>
}

let numbers = 0

/** Asks one question, through `url`, as the widget does; gives up after `giveUpMs`. */
export async function ask(
  url: string,
  customer: Customer,
  giveUpMs = GIVE_UP_MS,
): Promise<Outcome> {
  numbers += 1
  const id = `faults-${numbers}`
  const startedAt = performance.now()
  const outcome = { id, customer, status: 0, text: '', startedAt, ms: 0 }
  try {
    const response = await fetch(`${url}/api/v1/chatbot/message`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${customer.visitor}`,
        'x-request-id': id,
        'x-sohbet-tenant': customer.tenantId,
      },
      body: JSON.stringify({ tenant_id: customer.tenantId, message: `Question ${id}?` }),
      signal: AbortSignal.timeout(giveUpMs),
    })
    outcome.status = response.status
    outcome.text = await response.text()
  } catch (error) {
    outcome.status = 0
    outcome.text = error instanceof Error ? `${error.message} ${String(error.cause)}` : ''
  }
  outcome.ms = performance.now() - startedAt
  return outcome
}

/** Starts `callers` for each customer, spread over the addresses. */
export function startTraffic(
  urls: readonly string[],
  customers: readonly Customer[],
  callers = 1,
): Traffic {
  const over = new AbortController()
  const outcomes: Outcome[] = []
  const running = customers.flatMap((customer, number) =>
    Array.from({ length: callers }, async (_, caller) => {
      for (let turn = number + caller; !over.signal.aborted; turn += 1) {
        const outcome = await ask(urls[turn % urls.length] ?? '', customer)
        outcomes.push(outcome)
        // A caller whose connection is refused at once would keep the processor busy.
        if (outcome.status !== 200) await new Promise((done) => setTimeout(done, 50))
      }
    }),
  )
  return {
    outcomes,
    async stop() {
      over.abort()
      await Promise.all(running)
      return outcomes
    },
  }
}

/** Counts outcomes by status, such as `{200: 512, 503: 3}`. */
export function countStatuses(outcomes: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of outcomes) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Returns the value below which `share` of the outcomes' durations lie, in ms. */
export function durationAt(outcomes: readonly Outcome[], share: number): number {
  const sorted = outcomes.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
