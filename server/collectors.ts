import type { Context } from './context.ts'
import { exposeHolds, settledCredits } from './credits/metrics.ts'
import { exposeChannelQueues } from './integrations/metrics.ts'
import { exposeKnowledgeQueue, searchMetrics } from './knowledge/metrics.ts'
import { exposeMailQueue } from './mail/metrics.ts'
import { modelMetrics } from './models/metrics.ts'
import { exposePushQueue } from './notifications/push/worker.ts'
import { exposeStreams } from './platform/metrics.ts'
import type { Storage } from './storage/database.ts'
import { exposeStorage } from './storage/metrics.ts'

/**
 * Registers the collectors that read queues, caches, streams and holds on a scrape. Requests, runs
 * and attempts are counted as they happen. Only processes with a worker count rows of the database.
 */
export function exposeCollectors(
  ctx: Context,
  { storage, isWorker }: { storage: Storage; isWorker: boolean },
): void {
  exposeStorage(ctx.metrics, storage.meters)
  exposeStreams(ctx)
  ctx.indexes.expose(ctx.metrics)
  searchMetrics(ctx.metrics)
  ctx.counters.expose(ctx.metrics)
  settledCredits(ctx.metrics)
  const { model } = ctx.config
  const models = modelMetrics(ctx.metrics)
  // Registered first, so that model names of workspaces cannot use up the labels before these names.
  for (const name of [model?.model, model?.imageModel]) {
    if (model && name !== undefined) models.of(model.provider, name)
  }
  if (!isWorker) return
  exposeHolds(ctx)
  exposeMailQueue(ctx)
  exposePushQueue(ctx)
  exposeKnowledgeQueue(ctx)
  exposeChannelQueues(ctx)
}
