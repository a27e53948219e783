import type { FastifyRequest } from 'fastify'
import type { Context, Transaction } from '../../context.ts'
import { clientBlock } from '../../http/addresses.ts'
import { isoTime } from '../../http/pagination.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { newId } from '../../lib/ids.ts'
import { type AuditAction, AuditDetails, type ActorKind, type AuditEntry } from '../schema.ts'
import { type AuditRow, deleteOldAudit, findActor, insertAudit } from './store.ts'

const AUDIT_RETENTION_MS = 400 * DAY_MS

/** The actor of an audit event, and the network of the request. */
export interface Actor {
  kind: ActorKind
  userId?: string
  keyId?: string
  address?: string
}

/** The product as actor: a scheduled job or an event handler. */
export const SYSTEM: Actor = { kind: 'system' }

/**
 * An action and its subject. `details` must not hold a secret: every manager reads the audit log.
 */
export interface AuditEvent {
  actor: Actor
  action: AuditAction
  subject?: { type: string; id: string }
  details?: AuditDetails
}

/**
 * Returns the actor of a request and its network. A request without a caller is the operator of the
 * installation, whose network is not recorded.
 */
export function actorOf(request: FastifyRequest): Actor {
  const { caller } = request
  if (!caller || caller.kind === 'visitor') return { kind: 'operator' }
  const address = clientBlock(request)
  if (caller.kind === 'user') return { kind: 'user', userId: caller.id, address }
  return {
    kind: 'key',
    userId: caller.id,
    address,
    ...(caller.keyId === undefined ? {} : { keyId: caller.keyId }),
  }
}

/** Records an audit event in the transaction of the action: both commit, or neither. */
export async function recordAudit(
  tx: Transaction,
  workspaceId: string,
  { actor, action, subject, details }: AuditEvent,
): Promise<void> {
  const { kind, userId, keyId, address } = actor
  const known = userId && (await findActor(tx.db, workspaceId, { userId, keyId }))
  await insertAudit(tx.db, {
    id: newId('aud'),
    workspace_id: workspaceId,
    actor_kind: kind,
    actor_id: keyId ?? userId ?? null,
    actor_name: known ? (known.key_name ?? known.name) : null,
    actor_email: known ? known.email : null,
    action,
    subject_type: subject?.type ?? null,
    subject_id: subject?.id ?? null,
    details: details ? JSON.stringify(details) : null,
    address: address ?? null,
    created_at: tx.now(),
  })
}

/** Returns the audit entry that the API shows. */
export function serializeAuditEntry(row: AuditRow): AuditEntry {
  return {
    audit_id: row.id,
    action: row.action,
    actor: {
      kind: row.actor_kind,
      id: row.actor_id,
      name: row.actor_name,
      email: row.actor_email,
    },
    subject:
      row.subject_type === null || row.subject_id === null
        ? null
        : { type: row.subject_type, id: row.subject_id },
    details: row.details === null ? {} : AuditDetails.parse(JSON.parse(row.details)),
    address: row.address,
    created_at: isoTime(row.created_at),
  }
}

/** Deletes audit entries older than 400 days. Idempotent. */
export async function expireAudit(ctx: Context): Promise<void> {
  await deleteOldAudit(ctx.db, ctx.now() - AUDIT_RETENTION_MS)
}
