import { z } from 'zod'
import { type Context, transaction } from '../context.ts'
import { retryDeadLetters } from '../delivery/queue/manual-retry.ts'
import { listAttemptsFor } from '../delivery/queue/store.ts'
import {
  type DeadLetterFilter,
  findDeliveryOwner,
  listDeadLetters,
  listDeliveries,
} from '../delivery/queue/store.ts'
import { managers, members } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { AppError, assertOwned } from '../http/errors.ts'
import { isoTime, pageSchema } from '../http/pagination.ts'
import { toPage } from '../lib/cursor.ts'
import { requireMember, type UserCaller } from '../platform/auth/authenticator.ts'
import { catalogueEntry } from './catalogue.ts'
import { retryRuleDeadLetter } from './dead-letters.ts'
import { loadRuleOrHistory, RulePath } from './load.ts'
import {
  CatalogueEntry,
  DeadLetter,
  DeadLetterQuery,
  LetterQuery,
  RetriedLetter,
  RetriedLetters,
  RuleDelivery,
  RuleDeliveryQuery,
  RuleEvent,
} from './schema.ts'
import { findActiveRuleIds } from './store.ts'

const config = {
  access: managers('webhooks:manage', { keyHeader: true }),
  pool: 'default',
} as const
/** Operators may see what was sent, and send it again; rules are made by owners and admins. */
const forOperatorsToo = {
  access: members('webhooks:manage', { keyHeader: true }),
  pool: 'default',
} as const
const tags = ['Webhook rules']

const catalogue = {
  config,
  schema: {
    summary: 'List the events of the rule catalogue',
    description: "Each with its priority and a sample body; the sample's signature is not valid.",
    tags,
    response: { 200: z.object({ data: z.array(CatalogueEntry) }) },
  },
} as const

const deliveries = {
  config: forOperatorsToo,
  schema: {
    summary: 'List the deliveries of a rule with their attempts, newest first',
    description: 'Kept for 30 days, also after the rule was deleted.',
    tags,
    params: RulePath,
    querystring: RuleDeliveryQuery,
    response: { 200: pageSchema(RuleDelivery) },
  },
} as const

const letters = {
  config: { ...forOperatorsToo, mayFail: ['not_found'] },
  schema: {
    summary: 'List the dead letters, kept for 7 days',
    description:
      'A delivery becomes a dead letter when its fourth attempt fails. New ones first, with the body as ' +
      'it was sent.',
    tags,
    querystring: LetterQuery,
    response: { 200: pageSchema(DeadLetter) },
  },
} as const

const retry = {
  config: { ...forOperatorsToo, mayFail: ['conflict'] },
  schema: {
    summary: 'Send a dead letter again under the same id',
    description:
      'A new cycle of up to four attempts with the same `webhook_id` and body. 409 when it is no dead ' +
      'letter any more, and while its rule is switched off or once it is deleted.',
    tags,
    params: z.object({ wh_id: z.string().max(64) }),
    response: { 202: RetriedLetter },
  },
} as const

const retryAll = {
  config: { ...forOperatorsToo, mayFail: ['not_found'] },
  schema: {
    summary: 'Resend all dead letters, or those that match a filter',
    description:
      'Each is sent in a new cycle under its own id. Dead letters of rules that are off or deleted ' +
      'stay as they are.',
    tags,
    body: DeadLetterQuery,
    response: { 202: RetriedLetters },
  },
} as const

/** The catalogue of events, the deliveries of rules, and the dead letters. */
export function deadLetterRoutes(app: App, ctx: Context): void {
  const base = '/api/v1/webhooks/rules-engine'

  app.get(`${base}/events`, catalogue, async () => ({
    data: RuleEvent.options.map(catalogueEntry),
  }))

  app.get(`${base}/rules/:id/deliveries`, deliveries, async (request) => {
    const rule = await loadRuleOrHistory(ctx, requireMember(request), request.params.id)
    const { limit, cursor, state } = request.query
    const place = {
      workspaceId: rule.workspace_id,
      endpointId: rule.id,
      ...(state === undefined
        ? {}
        : { states: [state === 'dead_letter' ? 'dead' : state] as const }),
    }
    const rows = await listDeliveries(ctx.db, place, { limit, after: cursor })
    const attemptsOf = await listAttemptsFor(ctx.db, rows.slice(0, limit))
    return toPage(
      rows,
      limit,
      (row) => ({ at: row.created_at, id: row.id }),
      (row) => ({
        webhook_id: row.id,
        rule_id: rule.id,
        event: row.event,
        state: row.state === 'dead' ? ('dead_letter' as const) : row.state,
        created_at: isoTime(row.created_at),
        next_attempt_at: row.next_at === null ? null : isoTime(row.next_at),
        body: row.body,
        attempts: attemptsOf(row.id),
      }),
    )
  })

  app.get(`${base}/dead-letters`, letters, async (request) => {
    const { limit, cursor, ...filter } = request.query
    const wanted = {
      ...(await toDeadLetterFilter(ctx, requireMember(request), filter)),
      now: ctx.now(),
    }
    const rows = await listDeadLetters(ctx.db, wanted, { limit, after: cursor })
    const attemptsOf = await listAttemptsFor(ctx.db, rows.slice(0, limit))
    return toPage(
      rows,
      limit,
      (row) => ({ at: row.died_at, id: row.id }),
      (row) => ({
        webhook_id: row.id,
        rule_id: row.endpoint_id,
        event: row.event,
        body: row.body,
        created_at: isoTime(row.created_at),
        died_at: isoTime(row.died_at),
        expires_at: isoTime(row.expires_at),
        attempts: attemptsOf(row.id),
      }),
    )
  })

  app.post(`${base}/dead-letters/retry`, retryAll, async (request, reply) => {
    const wanted = await toDeadLetterFilter(ctx, requireMember(request), request.body ?? {})
    return reply.code(202).send({ ok: true, retried: await retryInBatches(ctx, wanted) })
  })

  app.post(`${base}/dead-letters/:wh_id/retry`, retry, async (request, reply) => {
    const { wh_id: id } = request.params
    await retryOneDeadLetter(ctx, requireMember(request), id)
    return reply.code(202).send({ ok: true, webhook_id: id })
  })
}

/** Builds the filter. Throws 404 or 403 for a rule that is not the caller's. */
async function toDeadLetterFilter(
  ctx: Context,
  caller: UserCaller,
  { rule_id, event, since }: NonNullable<DeadLetterQuery>,
): Promise<DeadLetterFilter> {
  if (rule_id !== undefined) await loadRuleOrHistory(ctx, caller, rule_id)
  return { workspaceId: caller.workspaceId, family: 'chat', endpointId: rule_id, event, since }
}

/** Retries in batches, each committed on its own, so that an aborted call can be repeated. */
async function retryInBatches(ctx: Context, filter: DeadLetterFilter): Promise<number> {
  let count = 0
  for (;;) {
    const retried = await transaction(ctx, async (tx) =>
      retryDeadLetters(tx, filter, await findActiveRuleIds(tx.db, filter.workspaceId)),
    )
    if (retried === 0) return count
    count += retried
  }
}

async function retryOneDeadLetter(ctx: Context, caller: UserCaller, id: string): Promise<void> {
  const { workspaceId } = caller
  const delivery = await findDeliveryOwner(ctx.db, 'chat', id)
  assertOwned(delivery?.workspace_id, workspaceId, 'delivery')
  if (!delivery) throw new AppError('not_found', 'This delivery does not exist.')
  const ruleId = delivery.endpoint_id
  await transaction(ctx, (tx) => retryRuleDeadLetter(tx, { id, workspaceId, ruleId }))
}
