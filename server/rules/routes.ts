import { z } from 'zod'
import type { Context } from '../context.ts'
import type { Sender } from '../delivery/http/attempt.ts'
import { signingSecrets } from '../delivery/signing-secrets.ts'
import { chatBody } from '../delivery/signature.ts'
import { standardSecret } from '../lib/standard-webhooks.ts'
import { targetPolicy } from '../net/target.ts'
import { sendTestDelivery } from '../delivery/worker/test-delivery.ts'
import { EVENTS } from '../events/registry.ts'
import { managers } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { isoTime, PageQuery, pageSchema } from '../http/pagination.ts'
import { toPage } from '../lib/cursor.ts'
import { newId } from '../lib/ids.ts'
import { actorOf } from '../platform/audit/audit.ts'
import { requireMember } from '../platform/auth/authenticator.ts'
import { loadRule, RulePath } from './load.ts'
import { deadLetterRoutes } from './routes.dead-letters.ts'
import { addRule, changeRule, ruleEvents, removeRule, rotateRuleSecret } from './rules.ts'
import {
  Conditions,
  CreatedRule,
  NewRule,
  NewRuleSecret,
  RotatedRuleSecret,
  Rule,
  RulePatch,
  RuleTestOutcome,
} from './schema.ts'
import { listRules, type RuleRow } from './store.ts'

const config = {
  access: managers('webhooks:manage', { keyHeader: true }),
  pool: 'default',
} as const
const tags = ['Webhook rules']

const create = {
  config: { ...config, mayFail: ['not_found'] },
  schema: {
    summary: 'Make a rule',
    description:
      'Sends each event of one kind, or of several, to a URL, if the conditions hold. Without a `secret` one is made, and ' +
      'shown in this answer only.',
    tags,
    body: NewRule,
    response: { 201: CreatedRule },
  },
} as const

const list = {
  config,
  schema: {
    summary: 'List rules, newest first',
    tags,
    querystring: PageQuery,
    response: { 200: pageSchema(Rule) },
  },
} as const

const read = {
  config,
  schema: { summary: 'One rule', tags, params: RulePath, response: { 200: Rule } },
} as const

const change = {
  config,
  schema: {
    summary: 'Change a rule',
    description:
      '`secret` replaces the secret as `rotate-secret` does. What waits is sent to the new `url`; what was ' +
      'held goes out when the rule is switched on.',
    tags,
    params: RulePath,
    body: RulePatch,
    response: { 200: Rule },
  },
} as const

const remove = {
  config,
  schema: {
    summary: 'Delete a rule and its queued deliveries',
    description: 'Attempts in flight are completed; the history stays readable for 30 days.',
    tags,
    params: RulePath,
    response: { 204: z.null() },
  },
} as const

const tryOut = {
  config,
  schema: {
    summary: "Send a sample of the rule's event now",
    description:
      'One attempt, signed like every delivery, whether the rule is on or not and whatever its ' +
      'conditions; the response has the result. It is listed in the deliveries, and never retried.',
    tags,
    params: RulePath,
    response: { 200: RuleTestOutcome },
  },
} as const

const rotate = {
  config: { ...config, mayFail: ['conflict'] },
  schema: {
    summary: 'Replace the secret; the old one signs beside it for 24 hours',
    description:
      '`X-CHAT-Signature` uses the new secret at once; `webhook-signature` holds a signature of each for ' +
      "24 hours. The body's own `signature` is made when the event happens.",
    tags,
    params: RulePath,
    body: NewRuleSecret,
    response: { 200: RotatedRuleSecret },
  },
} as const

/** Webhook rules of the chat service (specification of the chat service, "Webhook rule"). */
export function ruleRoutes(app: App, ctx: Context, { sender }: { sender: Sender }): void {
  const base = '/api/v1/webhooks/rules-engine/rules'
  const policy = targetPolicy(ctx.config)

  app.post(base, create, async (request, reply) => {
    const who = { workspaceId: requireMember(request).workspaceId, actor: actorOf(request) }
    const { row, secret } = await addRule(ctx, who, request.body, policy)
    return reply.code(201).send({
      ok: true,
      rule_id: row.id,
      ...givenEvents(row),
      active: row.disabled_at === null,
      created_at: isoTime(row.created_at),
      ...(secret === undefined ? {} : { secret, standard_secret: standardSecret(secret) }),
    })
  })

  app.get(base, list, async (request) => {
    const { limit, cursor } = request.query
    const rows = await listRules(ctx.db, requireMember(request).workspaceId, {
      limit,
      after: cursor,
    })
    return toPage(rows, limit, (row) => ({ at: row.created_at, id: row.id }), serializeRule)
  })

  app.get(`${base}/:id`, read, async (request) =>
    serializeRule(await loadRule(ctx, requireMember(request), request.params.id)),
  )

  app.patch(`${base}/:id`, change, async (request) => {
    const rule = await loadRule(ctx, requireMember(request), request.params.id)
    return serializeRule(
      await changeRule(ctx, { rule, actor: actorOf(request) }, request.body, policy),
    )
  })

  app.delete(`${base}/:id`, remove, async (request, reply) => {
    const rule = await loadRule(ctx, requireMember(request), request.params.id)
    await removeRule(ctx, { rule, actor: actorOf(request) })
    return reply.code(204).send(null)
  })

  app.post(`${base}/:id/test`, tryOut, async (request) => {
    const rule = await loadRule(ctx, requireMember(request), request.params.id)
    const id = newId('wh')
    const { event } = rule
    const secrets = signingSecrets(ctx, rule)
    const data = EVENTS[event].sample
    const body = chatBody(secrets.current, { event, id, at: ctx.now(), data })
    const { status, error, latency_ms, answer, hasArrived } = await sendTestDelivery(
      ctx,
      sender,
      { id: rule.id, url: rule.url, secrets },
      { id, workspaceId: rule.workspace_id, family: 'chat', event, body },
    )
    return { webhook_id: id, ok: hasArrived, status, error, latency_ms, answer }
  })

  app.post(`${base}/:id/rotate-secret`, rotate, async (request) => {
    const rule = await loadRule(ctx, requireMember(request), request.params.id)
    const deed = { rule, actor: actorOf(request) }
    const { secret, previousUntil } = await rotateRuleSecret(ctx, deed, request.body?.secret)
    return {
      rule_id: rule.id,
      secret,
      standard_secret: standardSecret(secret),
      previous_valid_until: isoTime(previousUntil),
    }
  })

  deadLetterRoutes(app, ctx)
}

/** Returns the event or the list, as it was given. */
function givenEvents(row: RuleRow): Pick<Rule, 'event' | 'events'> {
  return row.events === null ? { event: row.event } : { events: ruleEvents(row) }
}

function serializeRule(row: RuleRow): Rule {
  return {
    rule_id: row.id,
    name: row.name,
    ...givenEvents(row),
    url: row.url,
    conditions: Conditions.parse(JSON.parse(row.conditions)),
    active: row.disabled_at === null,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  }
}
