import { z } from 'zod'
import { MessagingApp } from '../tenants/schema.ts'

/** The contact form. `phone` may be local to the tenant's country; it is stored as E.164. */
export const SubmitLead = z.strictObject({
  name: z.string().trim().min(1).max(200),
  phone: z.string().trim().min(3).max(40),
  email: z.string().trim().min(3).max(254),
  interest: z.string().trim().max(500).optional(),
  consent: z.boolean().optional(),
  /** The mailed code, on a site that verifies addresses. */
  code: z
    .string()
    .trim()
    .regex(/^\d{6}$/, 'must be six digits')
    .optional(),
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

/** A lead as its workspace sees it. */
export const ManagedLead = Lead.extend({
  tenant_id: z.string(),
  /** The visitor's consent: text, version, time. */
  consent: z.object({ text: z.string(), version: z.string(), given_at: z.string() }).nullable(),
})
export type ManagedLead = z.infer<typeof ManagedLead>

/** An operator's corrections. */
export const LeadPatch = z.strictObject(
  SubmitLead.pick({ name: true, phone: true, email: true, interest: true }).partial().shape,
)
export type LeadPatch = z.infer<typeof LeadPatch>

/** A code was mailed; the same form with the code makes the lead. */
export const CodeMailed = z.object({ verification: z.literal('email'), expires_in: z.int() })

/** Filters of a list or an export. */
export const LeadFilter = {
  tenant_id: z.string().max(64).optional(),
  source: z.enum(['widget_form', 'conversation', ...MessagingApp.options, 'api']).optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  /** A part of the name, phone number, e-mail address or interest. */
  q: z.string().trim().min(1).max(100).optional(),
}
