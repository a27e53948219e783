import { z } from 'zod'
import type { MessagingChannel } from './channel.ts'
import { GRAPH_API_URL, answerHubChallenge, verifyHubSignature } from './graph-api.ts'
import type { ParsedEvent } from './inbound-events.ts'
import { ApiBaseUrl, EchoedToken, ProviderId, Secret } from './setting-fields.ts'

/** Upper bound of one message, in UTF-16 units. */
const MAX_TEXT_LENGTH = 4_096

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

/** Reactions and the app's own notices need no answer. */
const SILENT_TYPES = new Set(['reaction', 'system', 'ephemeral', 'request_welcome'])

/** WhatsApp's Cloud API: messages to one phone number. */
export const whatsapp: MessagingChannel = {
  kind: 'whatsapp',
  settings: z.strictObject({
    phone_number_id: ProviderId.optional(),
    access_token: Secret.optional(),
    app_secret: Secret.optional(),
    verify_token: EchoedToken.optional(),
    api_base_url: ApiBaseUrl.optional(),
  }),
  secretFields: ['access_token', 'app_secret'],
  customSecretField: 'verify_token',
  tokenField: 'access_token',
  carriesPayments: false,
  verify: verifyHubSignature,
  answerChallenge: answerHubChallenge,

  parse(body, { settings }) {
    const { entry } = Notification.parse(body)
    return entry
      .flatMap(({ changes }) => changes)
      .filter(
        ({ field, value }) =>
          field === 'messages' && isFor(value.metadata, settings.phone_number_id),
      )
      .flatMap(({ value }) => value.messages ?? [])
      .flatMap(parseMessage)
  },

  messaging: {
    maxSize: MAX_TEXT_LENGTH,
    sizeOf: (text) => text.length,
    bold: '*',
    send: ({ settings, token }, { to, text }) => ({
      url: `${settings.api_base_url ?? GRAPH_API_URL}/${encodeURIComponent(settings.phone_number_id ?? '')}/messages`,
      headers: { authorization: `Bearer ${token}` },
      body: {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to,
        type: 'text',
        text: { preview_url: false, body: text },
      },
    }),
    sentId: z
      .looseObject({ messages: z.array(z.looseObject({ id: z.string() })).min(1) })
      .transform(({ messages }) => messages[0]?.id ?? ''),
  },
}

function parseMessage(given: unknown): ParsedEvent[] {
  const message = Message.safeParse(given).data
  if (!message || SILENT_TYPES.has(message.type)) return []
  return [
    {
      id: message.id,
      orderingKey: message.from,
      event: {
        type: 'message',
        contact: message.from,
        text: messageText(message),
        isOpening: false,
        locale: null,
        social: null,
      },
    },
  ]
}

/** Whether a change is addressed to the integration's own number. */
function isFor(metadata: { phone_number_id: string } | undefined, own: string | undefined) {
  return own === undefined || metadata === undefined || metadata.phone_number_id === own
}

function messageText(message: Message): string | null {
  const chosen = message.interactive?.button_reply ?? message.interactive?.list_reply
  const media = message.image ?? message.video ?? message.document
  return message.text?.body ?? message.button?.text ?? chosen?.title ?? media?.caption ?? null
}
