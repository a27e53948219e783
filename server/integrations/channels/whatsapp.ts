import { z } from 'zod'
import type { Arrived } from './inbound-events.ts'
import type { ApiCall } from '../outbound/provider-api.ts'

/** Longest text of one message, in UTF-16 units. */
export const LONGEST_TEXT = 4_096
export const API_BASE_URL = 'https://graph.facebook.com/v23.0'

const Message = z.looseObject({
  id: z.string().min(1).max(300),
  from: z.string().min(1).max(100),
  type: z.string(),
  text: z.looseObject({ body: z.string() }).optional(),
  button: z.looseObject({ text: z.string() }).optional(),
  interactive: z
    .looseObject({
      button_reply: z.looseObject({ title: z.string() }).optional(),
      list_reply: z.looseObject({ title: z.string() }).optional(),
    })
    .optional(),
  image: z.looseObject({ caption: z.string().optional() }).optional(),
  video: z.looseObject({ caption: z.string().optional() }).optional(),
  document: z.looseObject({ caption: z.string().optional() }).optional(),
})
type Message = z.infer<typeof Message>

/** A notification of the WhatsApp Cloud API (developers.facebook.com/docs/whatsapp/cloud-api). */
const Notification = z.looseObject({
  entry: z.array(
    z.looseObject({
      changes: z.array(
        z.looseObject({
          field: z.string(),
          value: z.looseObject({
            metadata: z.looseObject({ phone_number_id: z.string() }).optional(),
            messages: z.array(z.unknown()).optional(),
          }),
        }),
      ),
    }),
  ),
})

/** Reactions and what the app itself says about the conversation need no answer. */
const SILENT_TYPES = new Set(['reaction', 'system', 'ephemeral', 'request_welcome'])

/** The messages of a notification to this number; what else it tells (such as "read") is left out. */
export function readWhatsapp(body: unknown, phoneNumberId: string | undefined): Arrived[] {
  const { entry } = Notification.parse(body)
  return entry
    .flatMap(({ changes }) => changes)
    .filter(({ field, value }) => field === 'messages' && isFor(value.metadata, phoneNumberId))
    .flatMap(({ value }) => value.messages ?? [])
    .flatMap((given): Arrived[] => {
      const message = Message.safeParse(given).data
      if (!message || SILENT_TYPES.has(message.type)) return []
      return [
        {
          id: message.id,
          lane: message.from,
          arrival: {
            type: 'message',
            contact: message.from,
            text: textOf(message),
            isOpening: false,
            locale: null,
            social: null,
          },
        },
      ]
    })
}

function isFor(metadata: { phone_number_id: string } | undefined, own: string | undefined) {
  return own === undefined || metadata === undefined || metadata.phone_number_id === own
}

function textOf(message: Message): string | null {
  const chosen = message.interactive?.button_reply ?? message.interactive?.list_reply
  const media = message.image ?? message.video ?? message.document
  return message.text?.body ?? message.button?.text ?? chosen?.title ?? media?.caption ?? null
}

/** The call that sends a text to a person. */
export function sendWhatsapp(
  { settings, token }: { settings: Record<string, string>; token: string },
  message: { to: string; text: string },
): ApiCall {
  const base = settings.api_base_url ?? API_BASE_URL
  return {
    url: `${base}/${encodeURIComponent(settings.phone_number_id ?? '')}/messages`,
    headers: { authorization: `Bearer ${token}` },
    body: {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: message.to,
      type: 'text',
      text: { preview_url: false, body: message.text },
    },
  }
}

/** The id that WhatsApp gives a message it has taken. */
export const SentWhatsapp = z
  .looseObject({ messages: z.array(z.looseObject({ id: z.string() })).min(1) })
  .transform(({ messages }) => messages[0]?.id ?? '')
