import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { exposeQueue } from '../storage/queue-depth.ts'

/** Exposes the depth and age of the queues of inbound events, outbound messages and posts. */
export function exposeChannelQueues(ctx: Context): void {
  const waiting = { dueAt: 'next_at', where: sql<boolean>`state = 'waiting'` }
  exposeQueue(ctx, {
    name: 'inbound_event',
    rows: 'inbound events of providers',
    table: 'inbound_events',
    ...waiting,
  })
  exposeQueue(ctx, {
    name: 'outbound_message',
    rows: 'messages to messaging apps',
    table: 'channel_messages',
    ...waiting,
  })
  exposeQueue(ctx, {
    name: 'social_post',
    rows: 'social posts',
    table: 'social_posts',
    ...waiting,
  })
}
