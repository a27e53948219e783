import type { Role } from '../http/access.ts'
import type { PlanId } from './auth/plans.ts'
import type { ActorKind } from './schema.ts'

interface WorkspacesTable {
  id: string
  name: string
  locale: string
  plan: PlanId
  time_zone: string
  created_at: number
  /** When the owner closed the workspace, which is erased 14 days later. */
  closed_at: number | null
  /** Since when the installation's operator has suspended the workspace. */
  suspended_at: number | null
}

interface UsersTable {
  id: string
  workspace_id: string
  email: string
  name: string
  role: Role
  password_hash: string
  created_at: number
  /** Null: the workspace's. */
  locale: string | null
  /** Null: the workspace's. */
  time_zone: string | null
  picture_id: string | null
}

interface FamiliesTable {
  id: string
  user_id: string
  workspace_id: string
  created_at: number
  expires_at: number
  ended_at: number | null
  /** Such as `Chrome on Linux`, of the sign-in. */
  device: string | null
  /** The network of the last use. */
  address: string | null
  /** Exact to a minute. */
  last_used_at: number | null
}

interface RefreshTokensTable {
  digest: string
  family_id: string
  created_at: number
  expires_at: number
  spent_at: number | null
}

interface ApiKeysTable {
  id: string
  public_id: string
  workspace_id: string
  user_id: string
  name: string
  prefix: string
  secret_hash: string
  scopes: string | null
  ip_allowlist: string | null
  created_at: number
  expires_at: number | null
  last_used_at: number | null
}

interface IdempotencyTable {
  caller: string
  route: string
  request_id: string
  workspace_id: string
  digest: string
  state: 'running' | 'done' | 'refused'
  answer: string | null
  created_at: number
  lease_until: number
}

interface MailsTable {
  id: string
  workspace_id: string
  recipient: string
  /** Encrypted for the mail's id; null once the mail was sent or has failed. */
  content: string | null
  state: 'waiting' | 'sent' | 'failed'
  attempts: number
  error: string | null
  created_at: number
  /** The time from which the mail is due. */
  next_at: number
  lease_token: string | null
  lease_until: number | null
  ended_at: number | null
}

/** Failed logins since the last successful login. */
interface LoginFailuresTable {
  user_id: string
  failures: number
}

interface PasswordResetsTable {
  digest: string
  user_id: string | null
  padding: string | null
  created_at: number
  expires_at: number
}

/** The address that a user wants, until a link that was mailed there is opened. */
interface EmailChangesTable {
  user_id: string
  email: string
  digest: string
  expires_at: number
}

interface PicturesTable {
  id: string
  user_id: string
  media_type: string
  /** The bytes, in base64. */
  data: string
  created_at: number
}

interface TwoFactorTable {
  user_id: string
  /** Encrypted for the user's id. */
  secret: string
  /** The time step of the last accepted code: no code of it or before it is accepted again. */
  last_step: number
  created_at: number
  /** Null until a first code proves that an app has the secret. */
  confirmed_at: number | null
}

interface RecoveryCodesTable {
  user_id: string
  digest: string
}

/** A browser of the installation's operator. */
interface OperatorSessionsTable {
  digest: string
  created_at: number
  expires_at: number
}

interface InvitationsTable {
  id: string
  workspace_id: string
  email: string
  name: string
  role: Role
  digest: string
  created_at: number
  expires_at: number
}

interface AuditTable {
  id: string
  workspace_id: string
  actor_kind: ActorKind
  actor_id: string | null
  actor_name: string | null
  actor_email: string | null
  action: string
  subject_type: string | null
  subject_id: string | null
  details: string | null
  address: string | null
  created_at: number
}

declare module '../storage/database.ts' {
  interface Tables {
    workspaces: WorkspacesTable
    users: UsersTable
    families: FamiliesTable
    refresh_tokens: RefreshTokensTable
    api_keys: ApiKeysTable
    idempotency: IdempotencyTable
    mails: MailsTable
    login_failures: LoginFailuresTable
    password_resets: PasswordResetsTable
    email_changes: EmailChangesTable
    pictures: PicturesTable
    two_factor: TwoFactorTable
    recovery_codes: RecoveryCodesTable
    operator_sessions: OperatorSessionsTable
    invitations: InvitationsTable
    audit: AuditTable
  }
}
