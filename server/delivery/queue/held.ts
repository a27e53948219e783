import { type Context, transaction } from '../../context.ts'
import type { EndpointSources } from '../endpoints.ts'
import { replayFailed } from './manual-retry.ts'
import { findPausedEndpoints } from './store.ts'

/**
 * Releases what is held for endpoints that are active. Whoever activates an endpoint does so at
 * once; this finds what was put aside by an attempt that had still seen it inactive.
 */
export async function resumeActiveEndpoints(ctx: Context, sources: EndpointSources): Promise<void> {
  const byFamily = Map.groupBy(await findPausedEndpoints(ctx.db), (held) => held.family)
  for (const [family, held] of byFamily) {
    const ids = held.map((entry) => entry.endpoint_id)
    const endpoints = (await sources[family]?.find(ctx, ids)) ?? []
    for (const { id } of endpoints.filter((endpoint) => endpoint.isActive)) {
      await transaction(ctx, (tx) => replayFailed(tx, id))
    }
  }
}
