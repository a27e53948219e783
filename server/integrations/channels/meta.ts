import { z } from 'zod'
import type { MessagingChannel } from './channel.ts'
import { answerHubChallenge, verifyHubSignature } from './graph-api.ts'
import type { ParsedEvent } from './inbound-events.ts'
import { edgeCall, metaPosts } from './meta-posts.ts'
import { ApiBaseUrl, EchoedToken, ProviderId, Secret } from './setting-fields.ts'

/** Upper bound of one message on Instagram, in bytes of UTF-8; Facebook allows twice that. */
const MAX_TEXT_BYTES = 1_000

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

/** A Facebook page or an Instagram account: comments, messages and posts. */
export const meta: MessagingChannel = {
  kind: 'meta',
  settings: z.strictObject({
    account_id: ProviderId.optional(),
    platform: z.enum(['facebook', 'instagram']).optional(),
    access_token: Secret.optional(),
    app_secret: Secret.optional(),
    verify_token: EchoedToken.optional(),
    api_base_url: ApiBaseUrl.optional(),
  }),
  secretFields: ['access_token', 'app_secret'],
  customSecretField: 'verify_token',
  tokenField: 'access_token',
  carriesPayments: false,
  posts: metaPosts,
  verify: verifyHubSignature,
  answerChallenge: answerHubChallenge,

  // The account's own messages, which come back as echoes, are left out.
  parse(body, { settings }) {
    const { object, entry } = Notification.parse(body)
    const platform = object === 'instagram' ? 'instagram' : 'facebook'
    return entry
      .filter(({ id }) => settings.account_id === undefined || id === settings.account_id)
      .flatMap(({ id, messaging = [], changes = [] }) => [
        ...messaging.flatMap((given) => parseMessage(given, platform, id)),
        ...changes.flatMap(({ field, value }) => parseComment(field, value, platform, id)),
      ])
  },

  messaging: {
    maxSize: MAX_TEXT_BYTES,
    sizeOf: (text) => Buffer.byteLength(text),
    send: (account, { to, text }) => ({
      ...edgeCall(account, 'messages'),
      body: { recipient: { id: to }, messaging_type: 'RESPONSE', message: { text } },
    }),
    sentId: z.looseObject({ message_id: z.string() }).transform(({ message_id }) => message_id),
  },
}

function parseMessage(given: unknown, platform: string, accountId: string): ParsedEvent[] {
  const messaging = Messaging.safeParse(given).data
  if (!messaging?.message || messaging.message.is_echo || messaging.message.is_deleted) return []
  const { sender, message } = messaging
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
      orderingKey: sender.id,
      event: {
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

function parseComment(
  field: string,
  value: unknown,
  platform: string,
  accountId: string,
): ParsedEvent[] {
  const onFeed = field === 'feed' ? FeedChange.safeParse(value).data : undefined
  const onMedia = field === 'comments' ? InstagramComment.safeParse(value).data : undefined
  const from = onFeed?.from ?? onMedia?.from
  if (!from || from.id === accountId) return []
  const commentId = onFeed?.comment_id ?? onMedia?.id ?? ''
  return [
    {
      id: commentId,
      orderingKey: undefined,
      event: {
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
