import { z } from 'zod'
import { openApiWebhook } from '../delivery/openapi-webhook.ts'
import { EVENTS, internalName } from '../events/registry.ts'
import { PlatformEvent } from './schema.ts'

const HEADERS = {
  'X-SVC-Event': 'The kind of event.',
  'X-SVC-Delivery': 'The id of this delivery, `evt_…`, the same at every attempt.',
  'X-SVC-Timestamp': 'When the attempt started, in Unix seconds.',
  'X-SVC-Signature': '`sha256=` and the hex HMAC-SHA-256 of timestamp, a dot and the raw body.',
}

/** Returns the webhooks of subscriptions for the OpenAPI document. */
export function describeSubscriptionWebhooks(): Record<string, object> {
  const events = PlatformEvent.options.map((event) => [
    event,
    describe(event, EVENTS[internalName(event)].data),
  ])
  return Object.fromEntries([['ping', describe('ping', z.strictObject({}))], ...events])
}

function describe(event: string, data: z.ZodType): object {
  return openApiWebhook(event, {
    tag: 'Webhook subscriptions',
    headers: HEADERS,
    body: z.object({ event: z.literal(event), created_at: z.string(), data }),
    refusal:
      'Tried again six times after 5xx, 408, 425 and 429; final after anything else. 410 disables the ' +
      'subscription.',
  })
}
