import { z } from 'zod'

const DEFAULT_HEADERS = {
  'webhook-id': 'The id of this delivery, the same at every attempt.',
  'webhook-timestamp': 'When the attempt started, in Unix seconds.',
  'webhook-signature':
    '`v1,` and the base64 HMAC-SHA-256 of id, dot, timestamp, dot and raw body (Standard Webhooks); ' +
    'several, with spaces between them, while a rotation overlaps.',
}

/** Returns an event's name for generated clients: `lead.created` is `LeadCreated`. */
function nameOf(event: string): string {
  const words = event.split(/[^a-z0-9]+/)
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** Returns the entry of OpenAPI's `webhooks` for an event's request. */
export function openApiWebhook(
  event: string,
  family: { tag: string; headers: Record<string, string>; body: z.ZodType; refusal: string },
): object {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(family.body)
  const headers = { ...family.headers, ...DEFAULT_HEADERS }
  return {
    post: {
      tags: [family.tag],
      operationId: `on${nameOf(event)}`,
      summary: event,
      description: `Sent to your URL for \`${event}\`. Verify the signature before you trust the body.`,
      security: [{ webhook: [] }],
      parameters: Object.entries(headers).map(([name, description]) => {
        const place = { name, in: 'header', required: true }
        return { ...place, description, schema: { type: 'string' } }
      }),
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: {
        '2XX': { description: 'It has arrived, whatever the body of the answer.' },
        default: { description: family.refusal },
      },
    },
  }
}
