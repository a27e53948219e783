import type { Context } from './context.ts'
import { exposeHolds, settledCredits } from './credits/metrics.ts'
import { exposeChannelQueues } from './integrations/metrics.ts'
import { exposeKnowledgeQueue } from './knowledge/metrics.ts'
import { exposeMailQueue } from './mail/metrics.ts'
import { modelMetrics } from './models/metrics.ts'
import { exposeStreams } from './platform/metrics.ts'
import type { Storage } from './storage/database.ts'
import { exposeStorage } from './storage/metrics.ts'

/**
 * On a scrape: which slice is asked for its queues, caches, streams and holds. Requests, runs and
 * attempts are counted as they happen. The database's rows are counted by processes with a worker.
 */
export function exposeCollectors(
  ctx: Context,
  { storage, isWorker }: { storage: Storage; isWorker: boolean },
): void {
  exposeStorage(ctx.metrics, storage.meters)
  exposeStreams(ctx)
  ctx.indexes.cache.expose(ctx.metrics, 'search_index')
  settledCredits(ctx.metrics)
  const { model } = ctx.config
  const models = modelMetrics(ctx.metrics)
  // First, so that no names of workspaces can take the label of the installation's own model.
  for (const name of [model?.model, model?.imageModel]) {
    if (model && name !== undefined) models.of(model.provider, name)
  }
  if (!isWorker) return
  exposeHolds(ctx)
  exposeMailQueue(ctx)
  exposeKnowledgeQueue(ctx)
  exposeChannelQueues(ctx)
}
