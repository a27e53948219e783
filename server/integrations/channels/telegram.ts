import { z } from 'zod'
import { constantTimeEqual } from '../../lib/constant-time.ts'
import type { MessagingChannel } from './channel.ts'
import { ApiBaseUrl, EchoedToken } from './setting-fields.ts'
import { firstHeader } from './signatures.ts'

/** Upper bound of one message, in UTF-16 units. */
const MAX_TEXT_LENGTH = 4_096
const API_URL = 'https://api.telegram.org'

/** An update as the Bot API sends it (core.telegram.org/bots/api#update). */
const Update = z.looseObject({
  update_id: z.int(),
  message: z
    .looseObject({
      chat: z.looseObject({ id: z.int(), type: z.string() }),
      from: z
        .looseObject({ is_bot: z.boolean().optional(), language_code: z.string().optional() })
        .optional(),
      text: z.string().optional(),
      caption: z.string().optional(),
    })
    .optional(),
})

/** A Telegram bot: its private chats. Groups, channels, edits and other bots are left out. */
export const telegram: MessagingChannel = {
  kind: 'telegram',
  settings: z.strictObject({
    bot_token: z
      .string()
      .regex(/^\d{1,20}:[\w-]{10,100}$/, 'must be a token as @BotFather gives it')
      .optional(),
    secret_token: EchoedToken.optional(),
    api_base_url: ApiBaseUrl.optional(),
  }),
  secretFields: ['bot_token'],
  customSecretField: 'secret_token',
  tokenField: 'bot_token',
  carriesPayments: false,

  verify: (secrets, call) =>
    constantTimeEqual(firstHeader(call, 'x-telegram-bot-api-secret-token'), secrets.secret),

  parse(body) {
    const { update_id, message } = Update.parse(body)
    if (!message || message.chat.type !== 'private' || message.from?.is_bot) return []
    const text = message.text ?? message.caption ?? null
    const contact = String(message.chat.id)
    return [
      {
        id: String(update_id),
        orderingKey: contact,
        event: {
          type: 'message',
          contact,
          text,
          // The Start button of the app; the parameter of a deep link may follow.
          isOpening: text !== null && /^\/start(?:\s|$)/.test(text),
          locale: message.from?.language_code ?? null,
          social: null,
        },
      },
    ]
  },

  messaging: {
    maxSize: MAX_TEXT_LENGTH,
    sizeOf: (text) => text.length,
    // The token is part of the URL: never log it.
    send: ({ settings, token }, { to, text }) => ({
      url: `${settings.api_base_url ?? API_URL}/bot${token}/sendMessage`,
      headers: {},
      body: { chat_id: Number(to), text },
    }),
    sentId: z
      .looseObject({ ok: z.literal(true), result: z.looseObject({ message_id: z.int() }) })
      .transform(({ result }) => String(result.message_id)),
  },
}
