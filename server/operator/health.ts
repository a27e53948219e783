import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { CHANNEL_QUEUES } from '../integrations/metrics.ts'
import { EMBEDDING_QUEUE, KNOWLEDGE_QUEUE } from '../knowledge/metrics.ts'
import { MINUTE_MS } from '../lib/durations.ts'
import { MAIL_QUEUE } from '../mail/metrics.ts'
import { dialectOf } from '../storage/dialect.ts'
import { type QueueDepthTable, countQueue } from '../storage/queue-depth.ts'
import type { CHECK_NAMES, InstallationHealth } from './schema.ts'

const DELIVERY_QUEUE: QueueDepthTable = {
  name: 'delivery',
  rows: 'deliveries',
  table: 'deliveries',
  dueAt: 'next_at',
  where: sql<boolean>`next_at is not null`,
}
const QUEUES = [DELIVERY_QUEUE, MAIL_QUEUE, KNOWLEDGE_QUEUE, EMBEDDING_QUEUE, ...CHANNEL_QUEUES]
/** A queue whose oldest row is due for longer has no worker, or too few. */
const MAX_WAIT_MS = 5 * MINUTE_MS

type Check = InstallationHealth['checks'][number]

/** Returns what the operator of the installation needs to know of it. Never a secret. */
export async function readHealth(ctx: Context, version: string): Promise<InstallationHealth> {
  const startedAt = performance.now()
  await sql`select 1 as one`.execute(ctx.db)
  const latencyMs = Math.round(performance.now() - startedAt)
  const queues: InstallationHealth['queues'] = []
  for (const queue of QUEUES) {
    const { due, oldest } = await countQueue(ctx, queue)
    const oldestSeconds = oldest === null ? null : Math.max(0, ctx.now() - oldest) / 1_000
    queues.push({ name: queue.name, waiting: due, oldest_seconds: oldestSeconds })
  }
  return {
    version,
    node: process.version,
    database: dialectOf(ctx.db),
    uptime_seconds: Math.floor(process.uptime()),
    queues,
    checks: [
      check('database', true, `It answers in ${latencyMs} ms.`),
      checkQueues(queues),
      ...checkSettings(ctx),
    ],
  }
}

function checkQueues(queues: InstallationHealth['queues']): Check {
  const late = queues.filter(({ oldest_seconds: age }) => (age ?? 0) * 1_000 > MAX_WAIT_MS)
  const names = late.map(({ name }) => name).join(', ')
  return check(
    'queues',
    late.length === 0,
    late.length === 0
      ? 'Nothing waits for long.'
      : `Waiting for more than 5 minutes: ${names}. Does a worker run?`,
  )
}

function checkSettings({ config }: Context): Check[] {
  const { smtpUrl, model, publicUrl = '', shortSecrets, allowPrivateTargets } = config
  const isHttps = publicUrl.startsWith('https:')
  return [
    check(
      'mail',
      smtpUrl !== undefined,
      smtpUrl ? 'SMTP_URL is set.' : 'Set SMTP_URL: without it no mail goes out.',
    ),
    check(
      'model',
      true,
      model ? `${model.provider} answers.` : 'The embedded model answers, without a network.',
    ),
    check(
      'public_url',
      isHttps,
      isHttps
        ? `${publicUrl} is on HTTPS.`
        : 'Set PUBLIC_URL to an address with https: for others.',
    ),
    check(
      'secrets',
      shortSecrets.length === 0,
      shortSecrets.length === 0
        ? 'Keys and tokens are long enough.'
        : `Too short to be safe: ${shortSecrets.join(', ')}.`,
    ),
    check(
      'webhook_targets',
      !allowPrivateTargets,
      allowPrivateTargets
        ? 'ALLOW_PRIVATE_TARGETS is on: customers can reach private addresses by webhooks, pages and actions.'
        : 'Only public addresses can be reached.',
    ),
  ]
}

function check(name: (typeof CHECK_NAMES)[number], ok: boolean, detail: string): Check {
  return { name, ok, detail }
}
