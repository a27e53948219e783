import { z } from 'zod'

/** Longest message a visitor may send, in Unicode code points after trimming. */
export const MAX_MESSAGE_LENGTH = 4_000

/** Text whose length is counted in Unicode code points after trimming. */
export function text(min: number, max: number) {
  return z
    .string()
    .trim()
    .refine((value) => {
      const length = [...value].length
      return length >= min && length <= max
    }, `must have between ${min} and ${max} characters`)
    .meta({ minLength: min, maxLength: max })
}

export const TenantId = z.string().regex(/^[a-z0-9-]{3,40}$/, 'must match [a-z0-9-]{3,40}')
export const Locale = z
  .string()
  .regex(/^[a-z]{2}(-[A-Z]{2})?$/, 'must be a language code like "tr"')

export const SessionState = z.enum(['bot', 'waiting', 'operator', 'closed'])
export type SessionState = z.infer<typeof SessionState>

/** Where an answer comes from: the page, and the heading, fragment and sentence on it. */
export const Citation = z.object({
  title: z.string(),
  url: z.string().nullable(),
  heading: z.string(),
  anchor: z.string().nullable(),
  /** A sentence of it as it stands on the page. */
  quote: z.string().optional(),
})
export type Citation = z.infer<typeof Citation>

export const SendMessage = z.strictObject({
  tenant_id: TenantId,
  message: text(1, MAX_MESSAGE_LENGTH),
  session_id: z.string().max(64).optional().describe('Left out, a conversation begins'),
  stream: z.boolean().optional().describe('True: server-sent events instead of one JSON body'),
  locale: Locale.optional().describe("Of what is said; the site's if left out"),
  page_url: z.string().max(2_048).optional().describe('Where the visitor is, for operators'),
})
export type SendMessage = z.infer<typeof SendMessage>

export const Reply = z.object({
  message_id: z.string(),
  role: z.literal('assistant'),
  content: z.string(),
  citations: z.array(Citation),
  quick_replies: z.array(z.string()).describe('What the visitor may answer with one press'),
  confidence: z
    .number()
    .describe('0 to 1; below `answer_threshold` the bot says that it does not know'),
  form: z.enum(['lead', 'appointment']).nullable().describe('What to offer beside the answer'),
})
export type Reply = z.infer<typeof Reply>

/** The JSON answer of `chatbot/message`, and, with `done: true`, the last event of its stream. */
export const Turn = z.object({
  session_id: z.string(),
  message_id: z.string().describe('The message that was sent; `reply` has an id of its own'),
  reply: Reply.nullable().describe('Null while a person is waited for or answers'),
  state: SessionState,
  credits_used: z.number().optional().describe('Not for visitors'),
  credits_remaining: z.number().optional().describe('Not for visitors'),
})
export type Turn = z.infer<typeof Turn>

export const HistoryMessage = z.object({
  message_id: z.string(),
  session_id: z.string(),
  role: z.enum(['visitor', 'assistant', 'operator', 'system']),
  content: z.string(),
  citations: z.array(Citation),
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

/** What came of asking for a person. */
export const Handoff = z.object({
  session_id: z.string(),
  state: SessionState,
  /** False outside office hours: the bot goes on then. */
  available: z.boolean(),
  /** What the history says about it when nobody is there. */
  message: HistoryMessage.nullable(),
  form: z.literal('lead').nullable(),
  /** When somebody is there again, if that is known. */
  opens_at: z.string().nullable(),
})
export type Handoff = z.infer<typeof Handoff>

/** A request that needs no more than its address. */
export const NoBody = z.strictObject({}).nullish()

/** Whether somebody writes just now; said again every few seconds while they do. */
export const Typing = z.strictObject({ is_typing: z.boolean().default(true) })

/** Everything up to this message was read; the last one when left out. */
export const ReadMark = z.strictObject({ message_id: z.string().max(64).optional() })

/** 1–5, or a thumb: `up` counts as 5 and `down` as 1. */
const Rating = z
  .union([z.int().min(1).max(5), z.enum(['up', 'down'])])
  .transform((rating) => (rating === 'up' ? 5 : rating === 'down' ? 1 : rating))

/** What a visitor thinks of one message, or of the conversation. */
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

/** Where a visitor wants the conversation sent. */
export const SendTranscript = z.strictObject({
  email: z.email('must be an e-mail address').max(254),
})

/** Who the visitor is, as the page or, with `token`, the site's server says. */
export const Identify = z.strictObject({
  name: text(1, 200).optional(),
  email: z.string().trim().max(254).optional(),
  phone: z.string().trim().max(40).optional(),
  token: z.string().max(4_000).optional(),
})
export type Identify = z.infer<typeof Identify>

export const Identity = z.object({
  /** The site's own id of them; only with a token. */
  subject: z.string().nullable(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  /** Whether the site's server has signed it. */
  is_verified: z.boolean(),
})
export type Identity = z.infer<typeof Identity>

export const IdentitySecret = z.object({ tenant_id: z.string(), identity_secret: z.string() })

const Color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a color like "#1d4ed8"')

/** A path of the site; `*` stands for anything. */
const PathPattern = text(1, 200)

/** On which pages, and when, the widget shows itself. All off by default. */
export const PageRules = z.strictObject({
  /** Only on these paths, and never on those. */
  show_on: z.array(PathPattern).max(50).optional(),
  hide_on: z.array(PathPattern).max(50).optional(),
  /** A few words beside the launcher: after this many seconds, or when the pointer leaves the page. */
  invitation: z
    .strictObject({
      text: text(1, 200),
      after_seconds: z.int().min(1).max(3_600).optional(),
      on_exit: z.boolean().optional(),
    })
    .optional(),
  /** Whether the widget reports what it costs the page: bytes, times, shifts. */
  report_cost: z.boolean().optional(),
})
export type PageRules = z.infer<typeof PageRules>

export const Theme = z.strictObject({
  color: Color.optional(),
  radius: z.int().min(0).max(24).optional(),
  logo_url: z
    .url({ protocol: /^https$/ })
    .max(2_048)
    .optional(),
  page: PageRules.optional(),
})
export type Theme = z.infer<typeof Theme>

/** What visitors book, and how long it takes. */
export const Service = z.strictObject({
  name: text(1, 80),
  minutes: z.int().min(5).max(480),
})
export type Service = z.infer<typeof Service>

export const MAX_HOLIDAYS = 100
const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like "09:00"')
const Hours = z.array(z.strictObject({ from: Clock, to: Clock })).max(4)
/**
 * Opening hours of each weekday in the tenant's time zone; a day that is left out is closed, and so
 * are the holidays, such as `2026-12-31`. Hours that end before they begin end on the next day.
 */
export const OfficeHours = z.strictObject({
  mon: Hours.optional(),
  tue: Hours.optional(),
  wed: Hours.optional(),
  thu: Hours.optional(),
  fri: Hours.optional(),
  sat: Hours.optional(),
  sun: Hours.optional(),
  holidays: z.array(z.iso.date()).max(MAX_HOLIDAYS).optional(),
})
export type OfficeHours = z.infer<typeof OfficeHours>

/** An IANA time zone. */
export const TimeZone = z.string().refine((value) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}, 'must be a time zone like "Europe/Istanbul"')

/** The answer to a challenge of ours; what it takes is in `chat/challenges.ts`. */
export const Proof = z.strictObject({
  challenge: z.string().max(300),
  nonce: z.string().regex(/^[0-9A-Za-z]{1,40}$/, 'must be up to 40 letters and digits'),
})
export type Proof = z.infer<typeof Proof>

export const VisitorRequest = z.strictObject({
  tenant_id: TenantId,
  visitor_token: z.string().max(2_000).optional(),
  /** Only where a 403 `proof_required` has asked for it. */
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
  page_url: z.string().max(2_048).optional(),
})
export type NewSession = z.infer<typeof NewSession>

/** Everything the widget may know about a tenant before anyone has written. Public and cacheable. */
export const WidgetConfig = z.object({
  tenant_id: z.string(),
  name: z.string(),
  locale: z.string(),
  theme: Theme,
  greeting: z.string(),
  quick_replies: z.array(z.string()),
  forms: z.object({
    lead: z.object({
      enabled: z.boolean(),
      consent_text: z.string(),
      verify_email: z.boolean(),
    }),
    appointment: z.object({ enabled: z.boolean(), services: z.array(Service) }),
  }),
  office_hours: OfficeHours,
  time_zone: z.string(),
  handoff: z.enum(['auto', 'offer', 'off']),
  privacy: z.object({ consent_required: z.boolean() }),
  active: z.boolean(),
})
export type WidgetConfig = z.infer<typeof WidgetConfig>
