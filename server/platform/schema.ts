import { z } from 'zod'
import { isIP } from 'node:net'
import { SCOPES } from '../http/access.ts'
import { IsoTime, Moment } from '../http/pagination.ts'

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
  code: z
    .string()
    .trim()
    .min(1)
    .max(40)
    .optional()
    .describe('From the authenticator app, or a recovery code, where the account needs one'),
})

export const TokenAnswer = z.object({
  access_token: z.string().describe('For `Authorization: Bearer …`'),
  token_type: z.literal('Bearer'),
  expires_in: z.int().describe('Seconds'),
  refresh_token: z.string().describe('Good once, for 30 days; see `auth/refresh`'),
})
export type TokenAnswer = z.infer<typeof TokenAnswer>

/** Without a token of its own, the one in the cookie is meant. */
export const RefreshRequest = z
  .strictObject({
    refresh_token: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Left out by browsers, which send it as a cookie'),
  })
  .nullish()

/** The answer to a browser, whose tokens are in its cookies. */
export const Renewed = z.object({ expires_in: z.int().describe('Seconds') })

export const PasswordChange = z.strictObject({
  current_password: z.string().max(200),
  new_password: Password.describe('8 to 200 characters'),
})

export const ResetRequest = z.strictObject({ email: Email })

export const ResetConfirmation = z.strictObject({
  token: z.string().min(1).max(200).describe('From the mail; good once, for 30 minutes'),
  new_password: Password.describe('8 to 200 characters'),
})

const Cidr = z.string().refine((entry) => {
  const [host = '', bits, more] = entry.split('/')
  const family = isIP(host)
  if (family === 0 || more !== undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}, 'must be an address or a network like 10.0.0.0/8')

export const NewApiKey = z.strictObject({
  name: z.string().trim().min(1).max(120).describe('A label for people'),
  scopes: z
    .array(z.enum(SCOPES))
    .min(1)
    .transform((scopes) => [...new Set(scopes)])
    .optional()
    .describe('Enterprise only: the rights of the key; by default those of its user'),
  ip_allowlist: z
    .array(Cidr)
    .min(1)
    .max(100)
    .optional()
    .describe('Enterprise only: addresses and networks that it may be used from'),
  expires_at: Moment.nullish().describe('Left out or null, it is good until it is destroyed'),
})

export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe('The beginning of the key, to recognise it'),
  scopes: z.array(z.enum(SCOPES)).nullable().describe('Null: all rights of its user'),
  ip_allowlist: z.array(z.string()).nullable().describe('Null: any address'),
  created_at: IsoTime,
  expires_at: IsoTime.nullable().describe('Null: when it is destroyed'),
  last_used_at: IsoTime.nullable().describe('To the minute; null: never'),
})
export type ApiKey = z.infer<typeof ApiKey>

/** The only answer that ever shows the key. */
export const CreatedApiKey = ApiKey.omit({ last_used_at: true }).extend({
  key: z.string().describe('Shown here and never again'),
})

export const PersonName = z.string().trim().min(1).max(120)
export const MemberRole = z.enum(['owner', 'admin', 'operator'])

export const NewMember = z.strictObject({
  email: Email,
  role: MemberRole,
  name: PersonName.optional().describe('For the salutation; the invited can choose another'),
})

export const Acceptance = z.strictObject({
  token: z.string().min(1).max(200).describe('From the mail; good once, for 7 days'),
  name: PersonName.optional().describe('May be left out where the invitation has one'),
  password: Password.describe('8 to 200 characters'),
})

export const MemberPatch = z.strictObject({ role: MemberRole })

/** A user (`usr_`), or somebody who is invited (`inv_`), then with the end of that. */
export const Member = z.object({
  id: z.string().describe('`usr_…` of a member, `inv_…` of an invitation'),
  email: z.string(),
  name: z.string(),
  role: MemberRole,
  state: z.enum(['active', 'invited', 'expired']).describe('`expired`: the invitation is too old'),
  created_at: IsoTime,
  expires_at: IsoTime.nullable().describe('When the invitation ends; null for members'),
})
export type Member = z.infer<typeof Member>

export const ActorKind = z.enum(['user', 'key', 'operator', 'system'])
export type ActorKind = z.infer<typeof ActorKind>

export const AuditDetails = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]),
)
export type AuditDetails = z.infer<typeof AuditDetails>

/** Entries of the audit log, as `noun.past-verb`. The panel has words for each. */
export type AuditAction =
  | 'account.changed'
  | 'action.changed'
  | 'action.created'
  | 'action.deleted'
  | 'action.secret_rotated'
  | 'action.tested'
  | 'api_key.created'
  | 'api_key.destroyed'
  | 'appointment.cancelled'
  | 'appointment.changed'
  | 'credits.added'
  | 'dead_letter.retried'
  | 'document.added'
  | 'document.changed'
  | 'document.removed'
  | 'document.synced'
  | 'email.change_requested'
  | 'email.changed'
  | 'identity_secret.rotated'
  | 'integration.billing_changed'
  | 'integration.changed'
  | 'integration.created'
  | 'integration.deleted'
  | 'invitation.withdrawn'
  | 'lead.changed'
  | 'lead.deleted'
  | 'lead.merged'
  | 'leads.exported'
  | 'login.failed'
  | 'login.succeeded'
  | 'logo.uploaded'
  | 'mcp.tool_called'
  | 'member.invited'
  | 'member.joined'
  | 'member.removed'
  | 'member.role_changed'
  | 'password.changed'
  | 'password.reset'
  | 'prompt.changed'
  | 'prompt.created'
  | 'prompt.removed'
  | 'recovery_codes.replaced'
  | 'rule.changed'
  | 'rule.created'
  | 'rule.deleted'
  | 'rule.secret_rotated'
  | 'session.ended'
  | 'session.erased'
  | 'session.token_reused'
  | 'setup.completed'
  | 'social_post.cancelled'
  | 'social_post.created'
  | 'subscription.changed'
  | 'subscription.created'
  | 'subscription.deleted'
  | 'subscription.disabled'
  | 'subscription.secret_rotated'
  | 'tenant.changed'
  | 'tenant.created'
  | 'tenant.removed'
  | 'two_factor.disabled'
  | 'two_factor.enabled'
  | 'visitor.erased'
  | 'visitor.exported'
  | 'workspace.changed'
  | 'workspace.closed'
  | 'workspace.exported'
  | 'workspace.plan_changed'
  | 'workspace.reopened'
  | 'workspace.resumed'
  | 'workspace.suspended'

/** An audit entry. Name and e-mail are those of that moment; the address is cut to its network. */
export const AuditEntry = z.object({
  audit_id: z.string(),
  action: z.string().describe('The action, such as `key.created`'),
  actor: z
    .object({
      kind: ActorKind,
      id: z.string().nullable(),
      name: z.string().nullable(),
      email: z.string().nullable(),
    })
    .describe('The actor, with the name and e-mail of that moment'),
  subject: z
    .object({ type: z.string(), id: z.string() })
    .nullable()
    .describe('The subject of the action; null: the workspace'),
  details: AuditDetails.describe('The names of the changed fields, never their values'),
  address: z.string().nullable().describe('The network of the request: /24, or /48 of IPv6'),
  created_at: IsoTime,
})
export type AuditEntry = z.infer<typeof AuditEntry>
