import { z } from 'zod'
import { MAX_MESSAGE_LENGTH } from '../chat/schema.ts'
import { text } from '../http/text-field.ts'

export const NoscriptPath = z.object({ tenant_id: z.string().max(64) })
/** The signed link from a mail back to a conversation. */
export const ResumePath = z.object({
  tenant_id: z.string().max(64),
  session_id: z.string().max(64),
  expires_at: z.string().regex(/^\d{1,15}$/),
  signature: z.string().max(64),
})
export const NoscriptQuery = z.object({ locale: z.string().max(35).optional() })

/** The visitor's token, in the forms of a page whose browser keeps no cookie. */
const visitor = z.string().max(2_000).optional()

/** The body of a form of the page: exactly one of these. */
export const FormAction = z.union([
  z.strictObject({
    message: text(1, MAX_MESSAGE_LENGTH),
    /** Idempotency key, rendered into the form: a form that is sent twice is one message. */
    id: z.string().regex(/^[\w-]{10,60}$/),
    visitor,
  }),
  z.strictObject({ wish: z.enum(['person', 'erase', 'refresh']), visitor }),
  // The contact form, with the fields that the site asks for.
  z.strictObject({
    name: z.string().max(200).optional(),
    phone: z.string().max(40).optional(),
    email: z.string().max(254).optional(),
    consent: z.literal('yes').optional(),
    code: z.string().max(6).optional(),
    visitor,
  }),
])
export type FormAction = z.infer<typeof FormAction>

/** The page's notice about the last action; the texts are in the locale files. */
export type Notice = 'wait' | 'unpaid' | 'failed' | 'wrong' | 'code' | 'thanks' | 'away' | 'erased'
