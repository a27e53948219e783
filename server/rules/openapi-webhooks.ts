import { z } from 'zod'
import { openApiWebhook } from '../delivery/openapi-webhook.ts'
import { EVENTS } from '../events/registry.ts'
import { RuleEvent } from './schema.ts'

const HEADERS = { 'X-CHAT-Signature': '`sha256=` and the hex HMAC-SHA-256 of the raw body.' }

/** Returns the webhooks of rules for the OpenAPI document. */
export function describeRuleWebhooks(): Record<string, object> {
  return Object.fromEntries(RuleEvent.options.map((event) => [event, describe(event)]))
}

function describe(event: RuleEvent): object {
  return openApiWebhook(event, {
    tag: 'Webhook rules',
    headers: HEADERS,
    body: z.object({
      event: z.literal(event),
      webhook_id: z.string(),
      timestamp: z.string(),
      data: EVENTS[event].data,
      signature: z.string().meta({
        description:
          '`sha256=` and the hex HMAC-SHA-256 of the compact JSON text of this body without this field.',
      }),
    }),
    refusal: 'Tried again three times, then a dead letter for 7 days.',
  })
}
