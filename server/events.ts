import { z } from 'zod'
import type { Transaction as TxContext } from './context.ts'
import { Lead } from './leads/schema.ts'

/** What happened, inside the product. Rules and subscriptions translate these to what they send. */
export const EventData = {
  'session.started': z.object({
    tenant_id: z.string(),
    chatbot_id: z.string(),
    session_id: z.string(),
    channel: z.string(),
    locale: z.string(),
    page_url: z.string().nullable(),
    started_at: z.string(),
  }),
  'message.received': z.object({
    tenant_id: z.string(),
    chatbot_id: z.string(),
    session_id: z.string(),
    message_id: z.string(),
    text: z.string(),
    channel: z.string(),
    received_at: z.string(),
  }),
  'lead.created': Lead,
  'quota.threshold_reached': z.object({
    threshold: z.number(),
    used: z.number(),
    monthly_limit: z.number(),
    reset_at: z.string(),
  }),
  'credits.low': z.object({
    remaining: z.number(),
    monthly_limit: z.number(),
    addons: z.number(),
    reset_at: z.string(),
  }),
} as const

export type EventName = keyof typeof EventData
export type DataOf<Name extends EventName> = z.infer<(typeof EventData)[Name]>

/** An event with what rules can filter on. */
export interface Emitted<Name extends EventName = EventName> {
  workspaceId: string
  tenantId?: string
  sector?: string
  source?: string
  data: DataOf<Name>
}

/** Who reacts: in the transaction that caused the event, or once it is committed. */
export interface Reaction<Name extends EventName> {
  during: readonly ((tx: TxContext, event: Name, emitted: Emitted<Name>) => Promise<void>)[]
  after: readonly ((event: Name, emitted: Emitted<Name>) => void)[]
}

export type Reactions = { readonly [Name in EventName]: Reaction<Name> }

/** Announces an event inside the transaction that caused it: both are kept, or neither. */
export async function emit<Name extends EventName>(
  tx: TxContext,
  event: Name,
  emitted: Emitted<Name>,
): Promise<void> {
  const { during, after }: Reaction<Name> = tx.reactions[event]
  for (const react of during) await react(tx, event, emitted)
  for (const react of after) tx.afterCommit.push(() => react(event, emitted))
}
