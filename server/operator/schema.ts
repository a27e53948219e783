import { z } from 'zod'
import { IsoTime } from '../http/pagination.ts'
import { Integration } from '../integrations/schema.ts'
import { Subscription } from '../subscriptions/schema.ts'

export const OperatorLogin = z.strictObject({
  token: z.string().min(1).max(500).describe('`OPERATOR_TOKEN`'),
})

/** The workspace of an entry, in lists over all workspaces. */
const OfWorkspace = z.object({ ws_id: z.string(), workspace: z.string().describe('Its name') })

/** Without the body, which may hold what a visitor wrote. */
export const OperatorDeadLetter = OfWorkspace.extend({
  webhook_id: z.string(),
  rule_id: z.string(),
  url: z.string().nullable().describe('Of the rule; null once it is deleted'),
  event: z.string(),
  attempts: z.int(),
  created_at: IsoTime,
  died_at: IsoTime.describe('When its last attempt failed'),
  expires_at: IsoTime.describe('Until then it can be sent again'),
})

export const OperatorSubscription = OfWorkspace.extend({
  id: z.string(),
  url: z.string(),
  active: z.boolean(),
  state: Subscription.shape.state,
  disabled_reason: Subscription.shape.disabled_reason,
  disabled_at: IsoTime.nullable(),
  created_at: IsoTime,
})

export const OperatorIntegration = OfWorkspace.extend({
  integration_id: z.string(),
  kind: Integration.shape.kind,
  tenant_id: z.string(),
  name: z.string(),
  active: z.boolean(),
  billing: z.boolean().describe('Whether its payments change credits and plans'),
  created_at: IsoTime,
})

export const CHECK_NAMES = [
  'database',
  'queues',
  'mail',
  'model',
  'public_url',
  'secrets',
  'webhook_targets',
] as const

export const InstallationHealth = z.object({
  version: z.string(),
  node: z.string(),
  database: z.enum(['sqlite', 'postgres']),
  uptime_seconds: z.int().describe('Of the answering process'),
  queues: z.array(
    z.object({
      name: z.string(),
      waiting: z.int().describe('Due now'),
      oldest_seconds: z
        .number()
        .nullable()
        .describe('When the oldest row became due; null if none is'),
    }),
  ),
  checks: z.array(z.object({ name: z.enum(CHECK_NAMES), ok: z.boolean(), detail: z.string() })),
})
export type InstallationHealth = z.infer<typeof InstallationHealth>
