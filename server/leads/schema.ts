import { z } from 'zod'

/** What a visitor fills in. `phone` may be local to the tenant's country; it is stored as E.164. */
export const SubmitLead = z.strictObject({
  name: z.string().trim().min(1).max(200),
  phone: z.string().trim().min(3).max(40),
  email: z.string().trim().min(3).max(254),
  interest: z.string().trim().max(500).optional(),
  consent: z.boolean().optional(),
})
export type SubmitLead = z.infer<typeof SubmitLead>

/** A captured lead; also the `data` of `lead.created` and `chatbot.lead`. */
export const Lead = z.object({
  lead_id: z.string(),
  chatbot_id: z.string(),
  session_id: z.string(),
  sector: z.string(),
  name: z.string(),
  phone: z.string(),
  email: z.string(),
  interest: z.string(),
  source: z.string(),
  captured_at: z.string(),
  confidence: z.number(),
})
export type Lead = z.infer<typeof Lead>
