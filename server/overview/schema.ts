import { z } from 'zod'
import { text } from '../http/text-field.ts'
import { Credits } from '../credits/schema.ts'
import { TenantId } from '../tenants/schema.ts'

const MAX_SEARCH_LENGTH = 100

export const OverviewQuery = z.strictObject({ tenant_id: TenantId.optional() })

/** The figures of the home page, of one site or of all. */
export const Overview = z.object({
  waiting: z.int().describe('Conversations that wait for a person'),
  leads_today: z.int(),
  appointments_today: z.int(),
  answered_rate: z
    .number()
    .nullable()
    .describe('Share of answers from the documents within 7 days, 0 to 1; null without answers'),
  unanswered: z
    .array(z.object({ tenant_id: z.string(), question: z.string(), count: z.int() }))
    .describe('The questions that were asked most often without an answer'),
  credits: z.object({
    ...Credits.shape,
    days_left: z
      .int()
      .nullable()
      .describe('At the pace of the last 7 days; null when nothing was used'),
  }),
  checklist: z.object({
    site: z.boolean().describe('There is a site'),
    knowledge: z.boolean().describe('A document is ready'),
    asked: z.boolean().describe('Somebody has asked something, in the chat or the test console'),
    installed: z.boolean().describe('A page with the widget was used'),
    team: z.boolean().describe('Somebody else is a member, or invited'),
  }),
})
export type Overview = z.infer<typeof Overview>

export const FindQuery = z.strictObject({ q: text(1, MAX_SEARCH_LENGTH) })

export const Found = z.object({
  kind: z.enum(['site', 'conversation', 'lead', 'person', 'document']),
  id: z.string(),
  title: z.string(),
  detail: z.string(),
  path: z.string().describe('Below `/panel`'),
})
export type Found = z.infer<typeof Found>
