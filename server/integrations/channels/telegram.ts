import { z } from 'zod'
import type { Arrived } from './inbound-events.ts'
import type { ApiCall } from '../outbound/provider-api.ts'

/** Longest text of one message, in UTF-16 units. */
export const LONGEST_TEXT = 4_096
export const API_BASE_URL = 'https://api.telegram.org'

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

/** What a person wrote to the bot; groups, channels, edits and other bots are left out. */
export function readTelegram(body: unknown): Arrived[] {
  const { update_id, message } = Update.parse(body)
  if (!message || message.chat.type !== 'private' || message.from?.is_bot) return []
  const text = message.text ?? message.caption ?? null
  const contact = String(message.chat.id)
  return [
    {
      id: String(update_id),
      lane: contact,
      arrival: {
        type: 'message',
        contact,
        text,
        // The app's own button; what may follow is a deep link's parameter.
        isOpening: text !== null && /^\/start(?:\s|$)/.test(text),
        locale: message.from?.language_code ?? null,
        social: null,
      },
    },
  ]
}

/** The call that sends a text to a person. The token is part of the address: never log it. */
export function sendTelegram(
  { settings, token }: { settings: Record<string, string>; token: string },
  message: { to: string; text: string },
): ApiCall {
  return {
    url: `${settings.api_base_url ?? API_BASE_URL}/bot${token}/sendMessage`,
    headers: {},
    body: { chat_id: Number(message.to), text: message.text },
  }
}

/** The id that Telegram gives a message it has taken. */
export const SentTelegram = z
  .looseObject({ ok: z.literal(true), result: z.looseObject({ message_id: z.int() }) })
  .transform(({ result }) => String(result.message_id))
