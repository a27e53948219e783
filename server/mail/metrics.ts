import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { type QueueDepthTable, exposeQueue } from '../storage/queue-depth.ts'

export const MAIL_QUEUE: QueueDepthTable = {
  name: 'mail',
  rows: 'mails',
  table: 'mails',
  dueAt: 'next_at',
  where: sql<boolean>`state = 'waiting'`,
}

/** Exposes the depth and age of the mail queue. */
export function exposeMailQueue(ctx: Context): void {
  exposeQueue(ctx, MAIL_QUEUE)
}
