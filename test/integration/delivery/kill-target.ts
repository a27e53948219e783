/**
 * A process that publishes and sends until it is killed. It says which events were committed, and
 * when all that it was asked for are.
 */
import { flushCompileCache } from 'node:module'
import { z } from 'zod'
import { transaction } from '../../../server/context.ts'
import { openSender } from '../../../server/delivery/http/attempt.ts'
import { enqueueDeliveries } from '../../../server/delivery/queue/enqueue.ts'
import { targetPolicy } from '../../../server/net/target.ts'
import { startDeliveryWorker } from '../../../server/delivery/worker/worker.ts'
import { systemClock } from '../../../server/lib/clock.ts'
import { newId } from '../../../server/lib/ids.ts'
import { openContext } from './engine.ts'

// Written now: a process that is killed leaves nothing to the next one.
flushCompileCache()

const ENDPOINTS = 10
const AT_ONCE = 8

const Order = z.object({
  place: z.object({ dataDir: z.string(), databaseUrl: z.string().optional() }),
  url: z.string(),
  count: z.int(),
  /** Its clock runs ahead by this many milliseconds, so that a dead one's leases are over. */
  aheadMs: z.int(),
})

// It ends by its killer's hand alone, also when nothing is left to do.
setInterval(() => undefined, 60_000)

const order = Order.parse(JSON.parse(process.argv[2] ?? ''))
const { databaseUrl, dataDir } = order.place
const clock = { ...systemClock, now: () => Date.now() + order.aheadMs }
const ctx = await openContext({ dataDir, databaseUrl }, clock)
const policy = targetPolicy({ allowPrivateTargets: true, allowedTargetCidrs: [] })
startDeliveryWorker(ctx, {
  sender: openSender({ policy, version: '0' }),
  isSingleProcess: databaseUrl === undefined,
  endpoints: {
    chat: {
      find: async (_ctx, ids) =>
        ids.map((id) => ({ id, url: order.url, secrets: { current: 'secret' }, isActive: true })),
    },
  },
})

let left = order.count
async function publish(): Promise<void> {
  while (left > 0) {
    left -= 1
    const id = newId('wh')
    const endpointId = `rule_${left % ENDPOINTS}`
    const event = 'lead.created'
    const delivery = {
      id,
      workspaceId: 'ws',
      family: 'chat',
      endpointId,
      event,
      body: '{}',
    } as const
    await transaction(ctx, (tx) => enqueueDeliveries(tx, [delivery]))
    process.send?.({ id })
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, publish))
process.send?.({ isDone: true })
