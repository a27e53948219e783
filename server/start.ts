import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { Redis } from 'ioredis'
import { z } from 'zod'
import { openApp } from './app.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { releaseEveryHold } from './credits/sweeper.ts'
import { seedDemo, seedOwner } from './demo/seed.ts'
import { startDeliveryWorker } from './delivery/worker.ts'
import type { App } from './http/app-type.ts'
import { BUILT_WIDGET } from './http/assets.ts'
import { startJobs } from './jobs.ts'
import { SearchIndexes } from './knowledge/retrieve.ts'
import type { Clock } from './lib/clock.ts'
import { embedded } from './models/embedded.ts'
import { forgetRunning } from './platform/idempotency.ts'
import { Passwords } from './platform/passwords.ts'
import { openSecrets } from './platform/secrets.ts'
import { reactions } from './reactions.ts'
import { endpoints } from './endpoints.ts'
import { openStorage } from './storage/open.ts'
import { Wakeups } from './storage/wakeups.ts'

const ROOT = join(import.meta.dirname, '..')
const Package = z.object({ version: z.string() })

/** A running product. */
export interface Product {
  ctx: Context
  app: App
  /** Where it answers: the port is the real one when 0 was asked for. */
  url: string
  /** Takes nothing new, finishes what is under way, and closes the storage. */
  stop(): Promise<void>
}

/** Opens everything in order and listens. Throws when the database or the port cannot be had. */
export async function startProduct(
  config: Config,
  around: { clock: Clock; log: FastifyBaseLogger },
): Promise<Product> {
  const { clock, log } = around
  const now = () => clock.now()
  const storage = await openStorage(config, now())
  const redis = config.redisUrl ? openRedis(config.redisUrl, log) : undefined
  const ctx: Context = {
    db: storage.db,
    clock,
    now,
    config,
    log,
    secrets: openSecrets(config),
    reactions,
    wakeups: new Wakeups(),
    indexes: new SearchIndexes(),
    model: embedded,
  }
  const passwords = new Passwords()
  let isStopping = false
  if (storage.dialect === 'sqlite') {
    await releaseEveryHold(ctx)
    await forgetRunning(ctx)
  }
  if (config.seed === 'demo') await seedDemo(ctx)
  await seedOwner(ctx, passwords)
  const { version } = Package.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')))
  const app = await openApp(ctx, { version, redis, passwords, isStopping: () => isStopping })
  const isWorker = config.role !== 'api'
  const worker = isWorker
    ? startDeliveryWorker(ctx, { endpoints, version, isAlone: storage.dialect === 'sqlite' })
    : undefined
  const stopJobs = isWorker ? startJobs(ctx) : () => undefined
  await app.listen({ host: config.host, port: config.port })
  const address = app.addresses()[0]
  return {
    ctx,
    app,
    url: `http://${address?.family === 'IPv6' ? `[${address.address}]` : (address?.address ?? config.host)}:${address?.port ?? config.port}`,
    async stop() {
      isStopping = true
      stopJobs()
      await app.close()
      await worker?.stop()
      redis?.disconnect()
      await storage.close()
    },
  }
}

function openRedis(url: string, log: FastifyBaseLogger): Redis {
  const redis = new Redis(url, { maxRetriesPerRequest: 1, enableOfflineQueue: false })
  redis.on('error', (error) => log.warn({ err: error }, 'Redis does not answer; counting locally'))
  return redis
}

/** Builds what browsers load, if it is not there yet. */
export function buildIfMissing(): void {
  if (existsSync(join(BUILT_WIDGET, 'widget.js'))) return
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const built = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (built.status !== 0) throw new Error('The widget could not be built. Run `npm run build` to see why.')
}
