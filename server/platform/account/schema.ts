import { z } from 'zod'
import { IsoTime } from '../../http/pagination.ts'
import { Locale, TimeZone } from '../../tenants/schema.ts'
import { Email, PersonName } from '../schema.ts'

export const OwnAccount = z.object({
  user_id: z.string(),
  email: z.string(),
  name: z.string().describe('Visitors read it; empty, they read the name of the site and “team”'),
  locale: z.string().describe("The workspace's, until another one is chosen"),
  time_zone: z.string().describe("The workspace's, until another one is chosen"),
  picture_url: z.string().nullable().describe('A path on this server'),
  pending_email: z.string().nullable().describe('An address that waits for its confirmation'),
  two_factor: z.boolean().describe('Whether signing in needs a code'),
  recovery_codes_left: z.int(),
})
export type OwnAccount = z.infer<typeof OwnAccount>

export const AccountPatch = z.strictObject({
  name: PersonName.optional(),
  locale: Locale.optional(),
  time_zone: TimeZone.optional(),
})
export type AccountPatch = z.infer<typeof AccountPatch>

/** The present password, again: an unlocked screen must not be enough. */
const PresentPassword = z.string().max(200).describe('The present password, again')
export const PasswordAgain = z.strictObject({ password: PresentPassword })

export const EmailChange = z.strictObject({ email: Email, password: PresentPassword })

export const EmailConfirmation = z.strictObject({
  token: z.string().min(1).max(200).describe('From the mail; good once, for a day'),
})

/** A place where the account is signed in. */
export const LoginPlace = z.object({
  session_id: z.string(),
  device: z.string().describe('As its `User-Agent` says, such as `Chrome on Linux`'),
  address: z.string().nullable().describe('The network of the last use: /24, or /48 of IPv6'),
  created_at: IsoTime,
  last_used_at: IsoTime.describe('To the minute'),
  current: z.boolean().describe('Whether this call was made from there'),
})
export type LoginPlace = z.infer<typeof LoginPlace>

export const TwoFactorSecret = z.object({
  secret: z.string().describe('Base32, for people who type it; shown here and never again'),
  otpauth_url: z.string().describe('The same as a URL, for a QR code'),
})

export const TwoFactorCode = z.strictObject({
  code: z.string().trim().min(1).max(40).describe('Six digits, from the app'),
})

export const RecoveryCodes = z.object({
  recovery_codes: z
    .array(z.string())
    .describe('Each signs in once instead of a code; shown here and never again'),
})
