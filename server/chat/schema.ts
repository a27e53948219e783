import { z } from 'zod'

/** Longest message a visitor may send, in Unicode code points after trimming. */
export const MAX_MESSAGE_LENGTH = 4_000

/** Text whose length is counted in Unicode code points after trimming. */
function text(min: number, max: number) {
  return z
    .string()
    .trim()
    .refine((value) => value.isWellFormed() && !value.includes('\0'), 'must be well-formed text')
    .refine((value) => {
      const length = [...value].length
      return length >= min && length <= max
    }, `must have between ${min} and ${max} characters`)
}

export const TenantId = z.string().regex(/^[a-z0-9-]{3,40}$/, 'must match [a-z0-9-]{3,40}')
export const SessionId = z.string().regex(/^ses_[0-9A-Za-z]{22,40}$/)
export const Locale = z.string().regex(/^[a-z]{2}(-[A-Z]{2})?$/, 'must be a language code like "tr"')

export const SessionState = z.enum(['bot', 'waiting', 'operator', 'closed'])
export type SessionState = z.infer<typeof SessionState>

export const Citation = z.object({ title: z.string(), url: z.string().nullable() })
export type Citation = z.infer<typeof Citation>

export const SendMessage = z.strictObject({
  tenant_id: TenantId,
  message: text(1, MAX_MESSAGE_LENGTH),
  session_id: SessionId.optional(),
  stream: z.boolean().optional(),
  locale: Locale.optional(),
  page_url: z.string().max(2_048).optional(),
})
export type SendMessage = z.infer<typeof SendMessage>

export const Reply = z.object({
  message_id: z.string(),
  role: z.literal('assistant'),
  content: z.string(),
  citations: z.array(Citation),
  quick_replies: z.array(z.string()),
  confidence: z.number(),
  form: z.enum(['lead', 'appointment']).nullable(),
})
export type Reply = z.infer<typeof Reply>

/** The JSON answer of `chatbot/message`, and, with `done: true`, the last event of its stream. */
export const Turn = z.object({
  session_id: z.string(),
  message_id: z.string(),
  reply: Reply.nullable(),
  state: SessionState,
  credits_used: z.number().optional(),
  credits_remaining: z.number().optional(),
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

const Color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a color like "#1d4ed8"')

export const Theme = z.strictObject({
  color: Color.optional(),
  radius: z.int().min(0).max(24).optional(),
  logo_url: z.url({ protocol: /^https$/ }).max(2_048).optional(),
})
export type Theme = z.infer<typeof Theme>

export const Forms = z.strictObject({
  lead: z
    .strictObject({
      enabled: z.boolean().optional(),
      consent_text: text(0, 1_000).optional(),
      verify_email: z.boolean().optional(),
    })
    .optional(),
})
export type Forms = z.infer<typeof Forms>

/** Everything the widget may know about a tenant before anyone has written. Public and cacheable. */
export const WidgetConfig = z.object({
  tenant_id: z.string(),
  name: z.string(),
  locale: z.string(),
  theme: Theme,
  greeting: z.string(),
  quick_replies: z.array(z.string()),
  forms: z.object({ lead: z.object({ enabled: z.boolean(), consent_text: z.string() }) }),
  active: z.boolean(),
})
export type WidgetConfig = z.infer<typeof WidgetConfig>

export { text }
