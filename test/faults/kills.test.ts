import { once } from 'node:events'
import { expect, test } from 'vitest'
import { expectBooksInOrder } from './books.ts'
import { startCluster } from './cluster.ts'
import { countStatuses, startTraffic } from './traffic.ts'

const KILLS = Number(process.env.FAULT_KILLS ?? 100)
const PROCESSES = 4
const ANSWERS_BETWEEN = 20
/** A machine that is busy with other work takes ten seconds for a start. */
const TEST_TIMEOUT_MS = 60_000 + KILLS * 10_000
const POLL = { timeout: 60_000, interval: 20 }

test(
  `one of ${PROCESSES} processes is killed ${KILLS} times: nothing acknowledged is lost or paid twice`,
  async () => {
    const cluster = await startCluster(PROCESSES)
    try {
      const customers = await cluster.addCustomers(6)
      const traffic = startTraffic(
        cluster.ports.map((port) => `http://127.0.0.1:${port}`),
        customers,
        2,
      )
      const answered = () => traffic.outcomes.filter(({ status }) => status === 200).length
      const starting: Promise<void>[] = []
      for (let kill = 0; kill < KILLS; kill += 1) {
        const before = answered()
        await expect.poll(answered, POLL).toBeGreaterThan(before + ANSWERS_BETWEEN)
        const index = kill % PROCESSES
        // The others go on: several may be starting.
        await starting[index]
        const victim = cluster.processes[index]
        const ended = victim && once(victim.child, 'exit')
        victim?.child.kill('SIGKILL')
        await ended
        starting[index] = cluster.start(index)
      }
      await Promise.all(starting)
      const outcomes = await traffic.stop()
      const books = await expectBooksInOrder(cluster.postgres, outcomes)
      console.log('kills', KILLS, countStatuses(outcomes), books)
      // A connection that broke is 0: the process died. The others are never wrong.
      expect(outcomes.filter(({ status }) => ![0, 200, 503].includes(status))).toEqual([])
    } finally {
      await cluster.stop()
    }
  },
  TEST_TIMEOUT_MS,
)
