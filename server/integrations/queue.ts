import { LeaseQueue, type QueueTable } from '../jobs/lease-queue.ts'
import type { InboundRow } from './inbound/store.inbound.ts'
import type { OutboundRow } from './outbound/store.outbound.ts'
import type { PostRow } from './posts/store.posts.ts'
import type { QueueColumns } from './tables.ts'

/** A workspace's share of the workers of a process: its models, apps and receivers may be slow. */
const MAX_LEASES_PER_WORKSPACE = 6
const MAX_POSTS_PER_WORKSPACE = 2

/** Events that providers sent, to be processed in order for each contact. */
export const inboundEvents = new LeaseQueue<InboundRow>(tableOf('inbound_events'))

/** Messages to people in messaging apps, to be sent in order for each contact. */
export const outboundMessages = new LeaseQueue<OutboundRow>(tableOf('channel_messages'))

/** Posts for social networks, each published at its time. */
export const socialPosts = new LeaseQueue<PostRow>(tableOf('social_posts', MAX_POSTS_PER_WORKSPACE))

/** A queue of this folder, and how its jobs are run. */
export interface IntegrationQueue<Row extends QueueColumns> {
  queue: LeaseQueue<Row>
  concurrency: number
  /** Longer than any run. */
  leaseMs: number
  /** Ends the job in the transaction of its effects; throws to have the job tried again. */
  run: (job: Row, signal: AbortSignal) => Promise<void>
  /** Called once the job is dead. */
  onDead?: (job: Row) => Promise<void>
}

function tableOf<Row extends QueueColumns>(
  name: 'inbound_events' | 'channel_messages' | 'social_posts',
  max = MAX_LEASES_PER_WORKSPACE,
): QueueTable<Row> {
  return {
    name,
    columns: { id: 'id', dueAt: 'next_at', attempts: 'attempts' },
    idOf: ({ id }) => id,
    attemptsOf: ({ attempts }) => attempts,
    ended: { done: 'done', dead: 'failed' },
    groupCap: { column: 'workspace_id', max },
    ordering: { key: ['integration_id', 'lane'], order: ['created_at', 'position', 'id'] },
  }
}
