import type { Context } from '../context.ts'
import { inboundQueue } from './inbound/inbound.ts'
import { outboundQueue } from './outbound/outbound.ts'
import { postsQueue } from './posts/publish.ts'
import { ProviderApi } from './outbound/provider-api.ts'
import { type Running, startQueue } from './worker.ts'

/**
 * Starts what processes inbound events and sends through messaging apps. `isAlone`: no other process
 * has this database, so that whatever is in hand was left by one that died.
 */
export function startChannels(ctx: Context, isAlone: boolean): Running {
  const api = new ProviderApi(ctx)
  const queues = [
    startQueue(ctx, inboundQueue(ctx), isAlone),
    startQueue(ctx, outboundQueue(ctx, api), isAlone),
    startQueue(ctx, postsQueue(ctx, api), isAlone),
  ]
  return {
    async stop() {
      await Promise.all(queues.map((queue) => queue.stop()))
      await api.close()
    },
  }
}
