/** A process that sends what is due and is paused while an attempt is under way. */
import { flushCompileCache } from 'node:module'
import { z } from 'zod'
import { openEngine, SECRET } from './engine.ts'

// Written now: a process that is killed leaves nothing to the next one.
flushCompileCache()

const Order = z.object({
  databaseUrl: z.string(),
  dataDir: z.string(),
  endpoint: z.object({ id: z.string(), url: z.string() }),
})
const { databaseUrl, dataDir, endpoint } = Order.parse(JSON.parse(process.argv[2] ?? ''))
const engine = await openEngine({ dataDir, databaseUrl })
const secrets = { current: SECRET }
engine.endpoints.set(endpoint.id, { ...endpoint, family: 'chat', secrets, isActive: true })
const worker = engine.startWorker({ timeoutMs: 60_000 })
await worker.idle()
process.send?.('wrote down what came of it')
