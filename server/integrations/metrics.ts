import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { type QueueDepthTable, exposeQueue } from '../storage/queue-depth.ts'

const waiting = { dueAt: 'next_at', where: sql<boolean>`state = 'waiting'` }

/** The queues of inbound events, outbound messages and posts. */
export const CHANNEL_QUEUES: readonly QueueDepthTable[] = [
  {
    name: 'inbound_event',
    rows: 'inbound events of providers',
    table: 'inbound_events',
    ...waiting,
  },
  {
    name: 'outbound_message',
    rows: 'messages to messaging apps',
    table: 'channel_messages',
    ...waiting,
  },
  {
    name: 'social_post',
    rows: 'social posts',
    table: 'social_posts',
    ...waiting,
  },
]

/** Exposes the depth and age of the channels' queues. */
export function exposeChannelQueues(ctx: Context): void {
  for (const queue of CHANNEL_QUEUES) exposeQueue(ctx, queue)
}
