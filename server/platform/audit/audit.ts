import type { FastifyRequest } from 'fastify'
import type { Context, Transaction } from '../../context.ts'
import { clientBlock } from '../../http/addresses.ts'
import { isoTime } from '../../http/pagination.ts'
import { newId } from '../../lib/ids.ts'
import { AuditDetails, type ActorKind, type AuditEntry } from '../schema.ts'
import { type AuditRow, deleteOldAudit, findActor, insertAudit } from './store.ts'

/** So long it can be read who did what. */
const AUDIT_RETENTION_MS = 400 * 86_400_000

/** Who does something, and roughly from where. */
export interface Actor {
  kind: ActorKind
  userId?: string
  keyId?: string
  address?: string
}

/** The product itself, on the clock or because of an event. */
export const SYSTEM: Actor = { kind: 'system' }

/** What was done, to what. `details` must hold no secret: everyone who manages the workspace reads it. */
export interface AuditEvent {
  actor: Actor
  /** `noun.past-verb`, such as `member.removed`. */
  action: string
  subject?: { type: string; id: string }
  details?: AuditDetails
}

/**
 * Who stands behind a request, and from which network. Without a caller it is the operator of the
 * installation, whose address is nobody's business.
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

/** Writes down who did what, in the transaction that does it: both are kept, or neither. */
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

/** An entry as managers read it. */
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

/** Forgets what was done more than 400 days ago. */
export async function expireAudit(ctx: Context): Promise<void> {
  await deleteOldAudit(ctx.db, ctx.now() - AUDIT_RETENTION_MS)
}
