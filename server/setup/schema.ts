import { z } from 'zod'
import { Email, Password, PersonName } from '../platform/schema.ts'
import { Locale } from '../tenants/schema.ts'

export const SetupState = z.object({
  open: z.boolean().describe('Whether nobody has an account yet, so that a link can create one'),
})

export const FirstOwner = z.strictObject({
  token: z.string().min(1).max(200).describe('From the link that the start printed'),
  name: PersonName.describe('Visitors read it in conversations'),
  email: Email,
  password: Password.describe('8 to 200 characters'),
  locale: Locale.optional().describe('Of the owner and the workspace; left out, `tr`'),
  workspace_name: z.string().trim().min(1).max(120).optional(),
})
export type FirstOwner = z.infer<typeof FirstOwner>
