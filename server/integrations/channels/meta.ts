import { z } from 'zod'
import type { Arrived } from './inbound-events.ts'
import type { ApiCall } from '../outbound/provider-api.ts'

/** Longest text of one message on Instagram, in bytes of UTF-8; Facebook takes twice that. */
export const LONGEST_TEXT_BYTES = 1_000
export const API_BASE_URL = 'https://graph.facebook.com/v23.0'

const Id = z.string().min(1).max(300)
const Messaging = z.looseObject({
  sender: z.looseObject({ id: Id }),
  message: z
    .looseObject({
      mid: Id,
      text: z.string().optional(),
      is_echo: z.boolean().optional(),
      is_deleted: z.boolean().optional(),
    })
    .optional(),
})
const From = z.looseObject({
  id: Id,
  name: z.string().optional(),
  username: z.string().optional(),
})
/** A page's `feed`. */
const FeedChange = z.looseObject({
  item: z.literal('comment'),
  verb: z.literal('add'),
  comment_id: Id,
  post_id: Id,
  from: From,
  message: z.string().default(''),
})
/** Instagram's `comments`. */
const InstagramComment = z.looseObject({
  id: Id,
  text: z.string().default(''),
  from: From,
  media: z.looseObject({ id: Id }),
})

/** A webhook of the Graph API, of a page or an Instagram account. */
const Notification = z.looseObject({
  object: z.string(),
  entry: z.array(
    z.looseObject({
      id: Id,
      messaging: z.array(z.unknown()).optional(),
      changes: z.array(z.looseObject({ field: z.string(), value: z.unknown() })).optional(),
    }),
  ),
})

/** Comments on and messages to the account; its own words, which come back as echoes, are left out. */
export function readMeta(body: unknown, accountId: string | undefined): Arrived[] {
  const { object, entry } = Notification.parse(body)
  const platform = object === 'instagram' ? 'instagram' : 'facebook'
  return entry
    .filter(({ id }) => accountId === undefined || id === accountId)
    .flatMap(({ id, messaging = [], changes = [] }) => [
      ...messaging.flatMap((given) => readMessage(given, platform, id)),
      ...changes.flatMap(({ field, value }) => readComment(field, value, platform, id)),
    ])
}

function readMessage(given: unknown, platform: string, accountId: string): Arrived[] {
  const said = Messaging.safeParse(given).data
  if (!said?.message || said.message.is_echo || said.message.is_deleted) return []
  const { sender, message } = said
  if (sender.id === accountId) return []
  const social = {
    platform,
    account_id: accountId,
    author: sender.id,
    message_id: message.mid,
  }
  return [
    {
      id: message.mid,
      lane: sender.id,
      arrival: {
        type: 'message',
        contact: sender.id,
        text: message.text ?? null,
        isOpening: false,
        locale: null,
        social,
      },
    },
  ]
}

function readComment(
  field: string,
  value: unknown,
  platform: string,
  accountId: string,
): Arrived[] {
  const onFeed = field === 'feed' ? FeedChange.safeParse(value).data : undefined
  const onMedia = field === 'comments' ? InstagramComment.safeParse(value).data : undefined
  const from = onFeed?.from ?? onMedia?.from
  if (!from || from.id === accountId) return []
  const commentId = onFeed?.comment_id ?? onMedia?.id ?? ''
  return [
    {
      id: commentId,
      lane: undefined,
      arrival: {
        type: 'comment',
        platform,
        account_id: accountId,
        post_id: onFeed?.post_id ?? onMedia?.media.id ?? '',
        comment_id: commentId,
        author: from.name ?? from.username ?? from.id,
        text: onFeed?.message ?? onMedia?.text ?? '',
      },
    },
  ]
}

/** An account with the token that speaks for it. */
export interface Account {
  settings: Record<string, string>
  token: string
}

/** The call that answers a person's message. */
export function sendMeta(account: Account, message: { to: string; text: string }): ApiCall {
  return {
    ...callOf(account, 'messages'),
    body: {
      recipient: { id: message.to },
      messaging_type: 'RESPONSE',
      message: { text: message.text },
    },
  }
}

/** A call below the account itself. */
export function callOf({ settings, token }: Account, edge: string): Omit<ApiCall, 'body'> {
  const base = settings.api_base_url ?? API_BASE_URL
  return {
    url: `${base}/${encodeURIComponent(settings.account_id ?? 'me')}/${edge}`,
    headers: { authorization: `Bearer ${token}` },
  }
}

/** An object below no account, such as a post by its id. */
export function objectOf({ settings, token }: Account, id: string, fields: string): ApiCall {
  const base = settings.api_base_url ?? API_BASE_URL
  return {
    url: `${base}/${encodeURIComponent(id)}?fields=${fields}`,
    headers: { authorization: `Bearer ${token}` },
  }
}

/** The id that the Graph API gives a message it has taken. */
export const SentMeta = z
  .looseObject({ message_id: z.string() })
  .transform(({ message_id }) => message_id)
