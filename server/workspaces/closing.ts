import { type Context, transaction } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { isoTime } from '../http/pagination.ts'
import { DAY_MS } from '../lib/durations.ts'
import { type Actor, recordAudit } from '../platform/audit/audit.ts'
import type { WorkspaceRow } from '../platform/auth/store.ts'
import { deleteBatch, listTablesWith } from '../storage/catalog.ts'
import { mailClosing } from './mails.ts'
import {
  deleteRecoveries,
  deleteWorkspace,
  listWorkspacesClosedBefore,
  markClosed,
  markReopened,
  switchSitesOff,
  switchSitesOn,
} from './store.closing.ts'

const CLOSING_MS = 14 * DAY_MS
const ROWS_AT_ONCE = 500
/** Deleted first, because many rows of other tables go with each of theirs. */
const FIRST = ['sessions', 'documents']
/** Deleted last, because the rows of most tables go with theirs: few are left by then. */
const LAST = ['integrations', 'users', 'tenants']

/** Returns when a closed workspace is erased; null for an open one. */
export function closesAt({ closed_at }: Pick<WorkspaceRow, 'closed_at'>): string | null {
  return closed_at === null ? null : isoTime(closed_at + CLOSING_MS)
}

/**
 * Closes a workspace: its sites are switched off, and it is erased after 14 days. Idempotent; the
 * first call sets the time. Returns that time.
 */
export async function closeWorkspace(
  ctx: Context,
  workspaceId: string,
  { actor, by }: { actor: Actor; by: string },
): Promise<string> {
  return transaction(ctx, async (tx) => {
    const { workspace, isNew } = await markClosed(tx.db, workspaceId, tx.now())
    const at = closesAt(workspace)
    if (at === null) throw new Error('A closed workspace has no end.')
    if (!isNew) return at
    await switchSitesOff(tx.db, workspaceId, tx.now())
    await recordAudit(tx, workspaceId, { actor, action: 'workspace.closed', details: { at } })
    await mailClosing(tx, workspace, { by, at })
    return at
  })
}

/**
 * Reopens a closed workspace, and switches on the sites that the closing switched off. Idempotent.
 * Throws 409 once the erasure is due.
 */
export async function reopenWorkspace(
  ctx: Context,
  workspaceId: string,
  actor: Actor,
): Promise<void> {
  await transaction(ctx, async (tx) => {
    const closedAt = await markReopened(tx.db, workspaceId, tx.now() - CLOSING_MS)
    if (closedAt === undefined) {
      throw new AppError('conflict', 'This workspace is being erased.')
    }
    if (closedAt === null) return
    await switchSitesOn(tx.db, workspaceId, { closedAt, now: tx.now() })
    await recordAudit(tx, workspaceId, { actor, action: 'workspace.reopened' })
  })
}

/**
 * Erases the workspaces that were closed 14 days ago: every row of every table, in batches.
 * Idempotent, and safe in several processes at once.
 */
export async function eraseClosedWorkspaces(ctx: Context): Promise<void> {
  for (const id of await listWorkspacesClosedBefore(ctx.db, ctx.now() - CLOSING_MS)) {
    await eraseWorkspace(ctx, id)
    ctx.models.invalidate(id)
    ctx.log.info({ event: 'workspace.erased', workspace: id }, 'closed workspace erased')
  }
}

async function eraseWorkspace(ctx: Context, workspaceId: string): Promise<void> {
  await deleteRecoveries(ctx.db, workspaceId)
  const tables = await listTablesWith(ctx.db, 'workspace_id')
  const others = tables.filter((name) => !FIRST.includes(name) && !LAST.includes(name))
  const wanted = { column: 'workspace_id', value: workspaceId, limit: ROWS_AT_ONCE }
  for (const table of [...FIRST, ...others, ...LAST]) {
    while ((await deleteBatch(ctx.db, table, wanted)) > 0) continue
  }
  await deleteWorkspace(ctx.db, workspaceId)
}
