import { z } from 'zod'

/** Quotas of a plan: sites, bytes of knowledge and attachments, passages, and members. */
export const QuotaName = z.enum(['sites', 'stored_bytes', 'passages', 'members'])
export type QuotaName = z.infer<typeof QuotaName>

export const Quota = z.object({
  name: QuotaName,
  used: z.int().describe('By the whole workspace; open invitations count as members'),
  allowed: z.int().describe('By the plan'),
})
export type Quota = z.infer<typeof Quota>
