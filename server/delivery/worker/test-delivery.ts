import { type Context, transaction } from '../../context.ts'
import type { AttemptResult } from '../attempt-result.ts'
import type { Sender } from '../http/attempt.ts'
import type { Endpoint } from '../endpoints.ts'
import { insertAttempts, insertFinished } from '../queue/history.ts'
import { isSuccess } from '../retry-policy.ts'
import type { WebhookKind } from '../signature.ts'

/**
 * Sends one delivery at once, outside the queue, such as a test or a `ping`, and records it in the
 * endpoint's history. Never retried.
 */
export async function sendTestDelivery(
  ctx: Context,
  sender: Sender,
  endpoint: Pick<Endpoint, 'id' | 'url' | 'secrets'>,
  delivery: { id: string; workspaceId: string; family: WebhookKind; event: string; body: string },
): Promise<AttemptResult & { hasArrived: boolean }> {
  const startedAt = ctx.now()
  const { id, workspaceId, family, event, body } = delivery
  const sent = { family, id, event, body, now: startedAt }
  const result = await sender.send(endpoint.url, sent, endpoint.secrets)
  const finished = {
    id,
    family,
    event,
    workspace_id: workspaceId,
    endpoint_id: endpoint.id,
    attempts: 1,
    created_at: startedAt,
  }
  const hasArrived = isSuccess(result.status)
  await transaction(ctx, async (tx) => {
    await insertAttempts(tx, [{ delivery: finished, number: 1, startedAt, result }])
    await insertFinished(tx, [finished], hasArrived ? 'delivered' : 'failed')
  })
  return { ...result, hasArrived }
}
