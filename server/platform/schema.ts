import { z } from 'zod'
import { isIP } from 'node:net'
import { SCOPES } from '../http/access.ts'
import { Moment } from '../http/pages.ts'

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

/** Without a token of its own, the one in the cookie is meant. */
export const RefreshRequest = z
  .strictObject({ refresh_token: z.string().min(1).max(200).optional() })
  .nullish()

/** The answer to a browser, whose tokens are in its cookies. */
export const Renewed = z.object({ expires_in: z.int() })

export const PasswordChange = z.strictObject({
  current_password: z.string().max(200),
  new_password: Password,
})

export const ResetRequest = z.strictObject({ email: Email })

export const ResetConfirmation = z.strictObject({
  token: z.string().min(1).max(200),
  new_password: Password,
})

const Cidr = z.string().refine((entry) => {
  const [host = '', bits, more] = entry.split('/')
  const family = isIP(host)
  if (family === 0 || more !== undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}, 'must be an address or a network like 10.0.0.0/8')

export const NewApiKey = z.strictObject({
  name: z.string().trim().min(1).max(120),
  scopes: z
    .array(z.enum(SCOPES))
    .min(1)
    .transform((scopes) => [...new Set(scopes)])
    .optional(),
  ip_allowlist: z.array(Cidr).min(1).max(100).optional(),
  expires_at: Moment.nullish(),
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

const PersonName = z.string().trim().min(1).max(120)
const MemberRole = z.enum(['owner', 'admin', 'operator'])

export const NewMember = z.strictObject({
  email: Email,
  role: MemberRole,
  name: PersonName.optional(),
})

export const Acceptance = z.strictObject({
  token: z.string().min(1).max(200),
  /** Left out where the invitation has one. */
  name: PersonName.optional(),
  password: Password,
})

export const MemberPatch = z.strictObject({ role: MemberRole })

/** A user (`usr_`), or somebody who is invited (`inv_`), then with the end of that. */
export const Member = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: MemberRole,
  state: z.enum(['active', 'invited', 'expired']),
  created_at: z.string(),
  expires_at: z.string().nullable(),
})
export type Member = z.infer<typeof Member>

export const ActorKind = z.enum(['user', 'key', 'operator', 'system'])
export type ActorKind = z.infer<typeof ActorKind>

export const AuditDetails = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]),
)
export type AuditDetails = z.infer<typeof AuditDetails>

/** Who did what. The name and e-mail are those of that moment; of the address only the network. */
export const AuditEntry = z.object({
  audit_id: z.string(),
  action: z.string(),
  actor: z.object({
    kind: ActorKind,
    id: z.string().nullable(),
    name: z.string().nullable(),
    email: z.string().nullable(),
  }),
  subject: z.object({ type: z.string(), id: z.string() }).nullable(),
  details: AuditDetails,
  address: z.string().nullable(),
  created_at: z.string(),
})
export type AuditEntry = z.infer<typeof AuditEntry>
