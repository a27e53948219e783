import { z } from 'zod'
import { text } from '../http/text-field.ts'
import { MessagingApp } from '../tenants/schema.ts'

/** The contact form; the site says which parts it requires. `phone` may be local to the tenant's country; it is stored as E.164. */
export const SubmitLead = z.strictObject({
  name: z.string().trim().min(1).max(200).optional(),
  phone: z.string().trim().min(3).max(40).optional(),
  email: z.string().trim().min(3).max(254).optional(),
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

const MAX_NOTES_LENGTH = 4_000

const LeadStatus = z.enum(['new', 'contacted', 'won', 'lost'])

/** A lead as its workspace sees it. */
export const ManagedLead = Lead.extend({
  tenant_id: z.string(),
  /** The visitor's consent: text, version, time. */
  consent: z.object({ text: z.string(), version: z.string(), given_at: z.string() }).nullable(),
  /** Whether name, phone number and e-mail address are all there. */
  complete: z.boolean(),
  status: LeadStatus,
  /** The member who looks after the lead. */
  owner: z.object({ user_id: z.string(), name: z.string() }).nullable(),
  notes: z.string(),
})
export type ManagedLead = z.infer<typeof ManagedLead>

/** An operator's corrections, and how far the workspace is with the lead. */
export const LeadPatch = z.strictObject({
  ...SubmitLead.pick({ name: true, phone: true, email: true, interest: true }).partial().shape,
  status: LeadStatus.optional(),
  owner_id: z.string().max(64).nullable().optional().describe('A member; null for nobody'),
  notes: text(0, MAX_NOTES_LENGTH).optional(),
})
export type LeadPatch = z.infer<typeof LeadPatch>

/** The lead that is merged into another one, and removed. */
export const MergeLead = z.strictObject({ lead_id: z.string().max(64) })

/** A code was mailed; the same form with the code makes the lead. */
export const CodeMailed = z.object({ verification: z.literal('email'), expires_in: z.int() })

/** Filters of a list or an export. */
export const LeadFilter = {
  tenant_id: z.string().max(64).optional(),
  source: z.enum(['widget_form', 'conversation', ...MessagingApp.options, 'api']).optional(),
  status: LeadStatus.optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  /** A part of the name, phone number, e-mail address or interest. */
  q: z.string().trim().min(1).max(100).optional(),
}
