import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { exposeQueue } from '../storage/queue-depth.ts'

/** Exposes the depth and age of the mail queue. */
export function exposeMailQueue(ctx: Context): void {
  exposeQueue(ctx, {
    name: 'mail',
    rows: 'mails',
    table: 'mails',
    dueAt: 'next_at',
    where: sql<boolean>`state = 'waiting'`,
  })
}
