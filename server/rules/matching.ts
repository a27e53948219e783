import { type Transaction, sharedRead } from '../context.ts'
import { enqueueDeliveries } from '../delivery/queue/enqueue.ts'
import { signingSecrets } from '../delivery/signing-secrets.ts'
import { chatBody } from '../delivery/signature.ts'
import type { EventName } from '../events/registry.ts'
import type { EventEnvelope, EventPlace } from '../events.ts'
import { newId } from '../lib/ids.ts'
import { Conditions, RuleEvent } from './schema.ts'
import { findActiveRules } from './store.ts'

const readRules = sharedRead((tx, workspaceId: string, event: RuleEvent) =>
  findActiveRules(tx.db, workspaceId, event),
)

/** Enqueues a delivery for each active rule whose conditions match, in the transaction. */
export async function matchRules(
  tx: Transaction,
  event: EventName,
  envelope: EventEnvelope,
): Promise<void> {
  const known = RuleEvent.safeParse(event)
  if (!known.success) return
  const rules = await readRules(tx, envelope.workspaceId, known.data)
  const matching = rules.filter((rule) => {
    const conditions = Conditions.parse(JSON.parse(rule.conditions))
    return matchesConditions(conditions, envelope)
  })
  await enqueueDeliveries(
    tx,
    matching.map((rule) => {
      const id = newId('wh')
      const { current } = signingSecrets(tx, rule)
      return {
        id,
        workspaceId: envelope.workspaceId,
        family: 'chat',
        endpointId: rule.id,
        event,
        sessionId: 'session_id' in envelope.data ? envelope.data.session_id : null,
        body: chatBody(current, { event, id, at: tx.now(), data: envelope.data }),
      }
    }),
  )
}

matchRules.prefetch = async (
  tx: Transaction,
  event: EventName,
  { workspaceId }: EventPlace,
): Promise<unknown> => {
  const known = RuleEvent.safeParse(event)
  return known.success && readRules(tx, workspaceId, known.data)
}

function matchesConditions(conditions: Conditions, envelope: EventEnvelope): boolean {
  const { min_confidence, tenant_id, sector, source } = conditions
  const confidence = 'confidence' in envelope.data ? envelope.data.confidence : undefined
  return (
    (min_confidence === undefined || confidence === undefined || confidence >= min_confidence) &&
    (tenant_id === undefined || tenant_id === envelope.tenantId) &&
    (sector === undefined || sector === envelope.sector) &&
    (source === undefined || source === envelope.source)
  )
}
