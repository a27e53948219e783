import { z } from 'zod'
import { text } from '../http/text-field.ts'
import { Locale, TenantId } from '../tenants/schema.ts'

/** Maximum length of a visitor's message, in Unicode code points after trimming. */
export const MAX_MESSAGE_LENGTH = 4_000

export const SessionState = z.enum(['bot', 'waiting', 'operator', 'closed'])
export type SessionState = z.infer<typeof SessionState>

/** The source of an answer: the page, and the heading, fragment and sentence on the page. */
export const Citation = z.object({
  title: z.string(),
  url: z.string().nullable(),
  heading: z.string(),
  anchor: z.string().nullable(),
  /** A sentence of the passage as the page shows it. */
  quote: z.string().optional(),
})
export type Citation = z.infer<typeof Citation>

/** Operators open the page from the inbox: a `javascript:` address would run there. */
const PageUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).max(2_048)

export const SendMessage = z.strictObject({
  tenant_id: TenantId,
  message: text(1, MAX_MESSAGE_LENGTH),
  session_id: z.string().max(64).optional().describe('If omitted, a new conversation starts'),
  stream: z.boolean().optional().describe('True: server-sent events instead of one JSON body'),
  locale: Locale.optional().describe("Of what is said; the site's if left out"),
  page_url: PageUrl.optional().describe('The page that the visitor is on, for operators'),
})
export type SendMessage = z.infer<typeof SendMessage>

export const Reply = z.object({
  message_id: z.string(),
  role: z.literal('assistant'),
  content: z.string(),
  citations: z.array(Citation),
  quick_replies: z.array(z.string()).describe('Quick replies for the visitor'),
  confidence: z
    .number()
    .describe('0 to 1; below `answer_threshold` the bot says that it does not know'),
  form: z.enum(['lead', 'appointment']).nullable().describe('What to offer beside the answer'),
})
export type Reply = z.infer<typeof Reply>

/** The JSON answer of `chatbot/message`, and, with `done: true`, the last event of its stream. */
export const Turn = z.object({
  session_id: z.string(),
  message_id: z.string().describe('The id of the sent message; `reply` has its own'),
  reply: Reply.nullable().describe(
    'Null while the visitor waits for a person, or a person answers',
  ),
  state: SessionState,
  credits_used: z.number().optional().describe('Omitted for visitors'),
  credits_remaining: z.number().optional().describe('Omitted for visitors'),
})
export type Turn = z.infer<typeof Turn>

/** A file of a message; `url` answers to the session's visitor and to members. */
export const Attachment = z.object({
  attachment_id: z.string(),
  name: z.string(),
  media_type: z.string(),
  bytes: z.int(),
  url: z.string(),
})
export type Attachment = z.infer<typeof Attachment>

/** The `data` of each event of a streamed turn: pieces of the reply, then the whole turn. */
export const TurnEvent = z.union([
  z.object({ delta: z.string().describe('The next piece of the reply') }),
  z.object({ done: z.literal(true), ...Turn.shape }),
  z.object({
    error: z.object({ code: z.string(), detail: z.string() }).describe('Why it failed'),
    done: z.literal(true),
    credits_used: z.number().optional().describe('0: a failed turn costs nothing'),
    credits_remaining: z.number().optional(),
  }),
])

export const HistoryMessage = z.object({
  message_id: z.string(),
  session_id: z.string(),
  role: z.enum(['visitor', 'assistant', 'operator', 'system']),
  content: z.string(),
  citations: z.array(Citation),
  attachments: z.array(Attachment),
  created_at: z.string(),
})
export type HistoryMessage = z.infer<typeof HistoryMessage>

export const Session = z.object({
  session_id: z.string(),
  tenant_id: z.string(),
  state: SessionState,
  created_at: z.string(),
  updated_at: z.string(),
})
export type Session = z.infer<typeof Session>

/** Result of a handoff request. */
export const Handoff = z.object({
  session_id: z.string(),
  state: SessionState,
  /** False outside office hours: the bot continues. */
  available: z.boolean(),
  /** The notice in the history outside office hours. */
  message: HistoryMessage.nullable(),
  form: z.literal('lead').nullable(),
  /** Next opening time, if one is known. */
  opens_at: z.string().nullable(),
})
export type Handoff = z.infer<typeof Handoff>

/** Body of a request that is complete without one. */
export const NoBody = z.strictObject({}).nullish()

/** Typing indicator; the client repeats it every few seconds. */
export const Typing = z.strictObject({ is_typing: z.boolean().default(true) })

/** Read receipt up to this message; up to the last message when left out. */
export const ReadMark = z.strictObject({ message_id: z.string().max(64).optional() })

/** 1–5, or a thumb: `up` counts as 5 and `down` as 1. */
const Rating = z
  .union([z.int().min(1).max(5), z.enum(['up', 'down'])])
  .transform((rating) => (rating === 'up' ? 5 : rating === 'down' ? 1 : rating))

/** Rating of one message, or of the whole session. */
export const GiveFeedback = z.strictObject({
  message_id: z.string().max(64).optional(),
  rating: Rating,
  comment: text(0, 2_000).optional(),
})
export type GiveFeedback = z.infer<typeof GiveFeedback>

export const Feedback = z.object({
  session_id: z.string(),
  message_id: z.string().nullable(),
  rating: z.int(),
  comment: z.string().nullable(),
  created_at: z.string(),
})
export type Feedback = z.infer<typeof Feedback>

/** Recipient of a transcript. */
export const SendTranscript = z.strictObject({
  email: z.email('must be an e-mail address').max(254),
})

/** A visitor's identity as the page states it or, with `token`, as the site's server signs it. */
export const Identify = z.strictObject({
  name: text(1, 200).optional(),
  email: z.string().trim().max(254).optional(),
  phone: z.string().trim().max(40).optional(),
  token: z.string().max(4_000).optional(),
})
export type Identify = z.infer<typeof Identify>

export const Identity = z.object({
  /** The site's own id of the visitor; only with a token. */
  subject: z.string().nullable(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  /** Whether the site's server has signed the identity. */
  is_verified: z.boolean(),
})
export type Identity = z.infer<typeof Identity>

export const IdentitySecret = z.object({ tenant_id: z.string(), identity_secret: z.string() })

/** Solution of a proof-of-work challenge; `chat/visitor/proof-of-work.ts` describes the work. */
export const Proof = z.strictObject({
  challenge: z.string().max(300),
  nonce: z.string().regex(/^[0-9A-Za-z]{1,40}$/, 'must be up to 40 letters and digits'),
})
export type Proof = z.infer<typeof Proof>

export const VisitorRequest = z.strictObject({
  tenant_id: TenantId,
  visitor_token: z.string().max(2_000).optional(),
  /** Required only after a 403 `proof_required`. */
  proof: Proof.optional(),
})

export const VisitorAnswer = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
  visitor_id: z.string(),
})

export const NewSession = z.strictObject({
  tenant_id: TenantId,
  locale: Locale.optional(),
  page_url: PageUrl.optional(),
})
export type NewSession = z.infer<typeof NewSession>
