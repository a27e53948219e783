/** A process that is killed in mid-delivery: it queues events, sends them and never exits. */
import { flushCompileCache } from 'node:module'
import { z } from 'zod'
import { openEngine } from './engine.ts'

// Written now: a process that is killed leaves nothing to the next one.
flushCompileCache()

const Order = z.object({
  place: z.object({ dataDir: z.string(), databaseUrl: z.string().optional() }),
  endpoint: z.object({ id: z.string(), url: z.string(), secret: z.string() }),
  count: z.int(),
})

const { place, endpoint, count } = Order.parse(JSON.parse(process.argv[2] ?? ''))
const engine = await openEngine({ dataDir: place.dataDir, databaseUrl: place.databaseUrl })
const { id, url, secret } = endpoint
engine.endpoints.set(id, { id, url, family: 'chat', secrets: { current: secret }, isActive: true })
engine.startWorker({ timeoutMs: 60_000 })
const ids = await Promise.all(Array.from({ length: count }, () => engine.enqueue(id)))
process.send?.(ids)
