import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { DatabasePlace } from '../../helpers/databases.ts'
import { startReceiver } from '../../helpers/servers/receiver.ts'

const Message = z.object({ id: z.string().optional(), isDone: z.boolean().optional() })

/** The result of a run of kills. */
export interface KillReport {
  kills: number
  /** Events whose commit was acknowledged. */
  acknowledged: number
  /** Acknowledged events that never arrived. */
  lost: number
  /** Events that arrived more than once. */
  repeated: number
  /** The most times that one event arrived. */
  mostTimes: number
  /** Repeated events that were not under way at any kill. */
  repeatedWithoutCause: number
}

export interface KillOptions {
  place: DatabasePlace
  /** How many events are published in all. */
  count: number
  kills: number
  /** The longest that a process lives, in milliseconds; each dies at a random moment before. */
  lifeMs: number
  /** How far the clock of each next process runs ahead, so that nobody waits for leases. */
  aheadMs: number
  /** How long the last process may take to deliver the rest. */
  patienceMs: number
}

/** Publishes and delivers in a process that is killed again and again at random moments. */
export async function runKills(options: KillOptions): Promise<KillReport> {
  const acknowledged = new Set<string>()
  const times = new Map<string, number>()
  const underWay = new Set<string>()
  const excused = new Set<string>()
  const receiver = await startReceiver(async (request) => {
    const id = request.headers['webhook-id'] ?? ''
    times.set(id, (times.get(id) ?? 0) + 1)
    underWay.add(id)
    receiver.received.length = 0
    await sleep(Math.random() * 4)
    // Its answer is on the way; whether the result was written before a kill nobody knows.
    setTimeout(() => underWay.delete(id), 1_000)
    return 200
  })
  const start = (kill: number): ChildProcess => {
    const { place, count, aheadMs } = options
    const order = {
      place,
      url: receiver.url,
      count: Math.max(0, count - acknowledged.size),
      aheadMs: kill * aheadMs,
    }
    const victim = fork(join(import.meta.dirname, 'kill-target.ts'), [JSON.stringify(order)])
    victim.on('message', (message) => {
      const { id } = Message.parse(message)
      if (id !== undefined) acknowledged.add(id)
    })
    return victim
  }
  const kill = async (victim: ChildProcess) => {
    victim.kill('SIGKILL')
    await once(victim, 'exit')
    for (const id of underWay) excused.add(id)
  }
  for (let kills = 0; kills < options.kills; kills += 1) {
    const victim = start(kills)
    await once(victim, 'message')
    await sleep(Math.random() * options.lifeMs)
    await kill(victim)
  }
  const last = start(options.kills)
  const deadline = Date.now() + options.patienceMs
  const isComplete = () =>
    acknowledged.size >= options.count && [...acknowledged].every((id) => times.has(id))
  while (!isComplete() && Date.now() < deadline) await sleep(100)
  await kill(last)
  await receiver.close()
  const repeated = [...times].filter(([, count]) => count > 1)
  return {
    kills: options.kills,
    acknowledged: acknowledged.size,
    lost: [...acknowledged].filter((id) => !times.has(id)).length,
    repeated: repeated.length,
    mostTimes: Math.max(0, ...times.values()),
    repeatedWithoutCause: repeated.filter(([id]) => !excused.has(id)).length,
  }
}
