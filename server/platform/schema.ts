import { z } from 'zod'
import { isIP } from 'node:net'
import { SCOPES } from '../http/access.ts'

/** An e-mail address as it is stored and compared: trimmed and in lower case. */
export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email('must be an e-mail address'))

export const Password = z.string().min(8).max(200)

export const TokenRequest = z.strictObject({
  email: z.string().trim().toLowerCase().max(254),
  password: z.string().max(200),
})

export const TokenAnswer = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
  refresh_token: z.string(),
})
export type TokenAnswer = z.infer<typeof TokenAnswer>

export const RefreshRequest = z.strictObject({ refresh_token: z.string().min(1).max(200) })

const Cidr = z.string().refine((entry) => {
  const [host = '', bits, more] = entry.split('/')
  const family = isIP(host)
  if (family === 0 || more !== undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}, 'must be an address or a network like 10.0.0.0/8')

export const NewApiKey = z.strictObject({
  name: z.string().trim().min(1).max(120),
  scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length).optional(),
  ip_allowlist: z.array(Cidr).min(1).max(100).optional(),
  expires_at: z.iso.datetime().optional(),
})

export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()).nullable(),
  ip_allowlist: z.array(z.string()).nullable(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
})
export type ApiKey = z.infer<typeof ApiKey>

/** The only answer that ever shows the key. */
export const CreatedApiKey = ApiKey.omit({ last_used_at: true }).extend({ key: z.string() })
