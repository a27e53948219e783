import { z } from 'zod'
import { ContactPart } from '../tenants/schema.ts'
import { leadFormOf, privacyOf } from '../tenants/tenants.ts'
import { type ChatTool, visitorWrote } from '../chat/handoff/chat-tool.ts'
import { captureLead } from './capture.ts'
import { findInterest } from './interest.ts'
import { SubmitLead } from './schema.ts'

const Input = SubmitLead.omit({ consent: true, code: true })

/** Captures a lead from the visitor's messages, like the form. */
export const captureLeadTool: ChatTool = {
  name: 'capture_lead',
  description:
    'Keeps the name, phone number and e-mail address that the visitor has written, so that the site can call back. Call it once the visitor has written what the site asks for, at best all three.',
  schema: z.toJSONSchema(Input),

  // Sites that verify addresses or require consent have only the form.
  isOffered({ tenant }) {
    const { enabled, verify_email } = leadFormOf(tenant)
    return enabled && !verify_email && !privacyOf(tenant).consent_required
  },

  async run(ctx, place, input) {
    const fields = Input.safeParse(input)
    if (!fields.success) {
      return { result: 'Ask the visitor for name, phone number and e-mail address.', form: 'lead' }
    }
    const { required } = leadFormOf(place.tenant)
    const missing = required.filter((part) => fields.data[part] === undefined)
    if (missing.length > 0) {
      return { result: `Ask the visitor for this: ${missing.join(', ')}.`, form: 'lead' }
    }
    const unsaid = ContactPart.options.filter((part) => {
      const value = fields.data[part]
      return value !== undefined && !visitorWrote(place, value)
    })
    if (unsaid.length > 0) {
      return { result: `The visitor did not write this: ${unsaid.join(', ')}. Ask.`, form: 'lead' }
    }
    const { name } = fields.data
    const { locale } = place.tenant
    const interest =
      fields.data.interest || findInterest(place.transcript, { name: name ?? '', locale })
    await captureLead(ctx, place, {
      fields: { ...fields.data, interest },
      key: undefined,
      source: 'conversation',
    })
    return { result: 'The contact details are kept. Somebody will get back to the visitor.' }
  },
}
