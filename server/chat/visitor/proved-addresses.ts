import type { Transaction } from '../../context.ts'
import { findIdentity } from './store.identities.ts'
import { hasProvedAddress, saveProvedAddress } from './store.proved-addresses.ts'

interface VisitorSession {
  id: string
  workspace_id: string
  visitor_id: string | null
}

/** Remembers, with the session, that its visitor reads the mails of this address. */
export async function proveAddress(
  tx: Transaction,
  { id, workspace_id }: VisitorSession,
  email: string,
): Promise<void> {
  await saveProvedAddress(tx.db, {
    sessionId: id,
    workspaceId: workspace_id,
    address: tx.secrets.digest(textOf(id, email)),
    now: tx.now(),
  })
}

/**
 * Returns whether an address is known to be the visitor's: by a code that was mailed to it, or by the
 * identity that the site's server has signed.
 */
export async function isProvedAddress(
  tx: Transaction,
  { id, workspace_id, visitor_id }: VisitorSession,
  email: string,
): Promise<boolean> {
  const identity = visitor_id && (await findIdentity(tx.db, workspace_id, visitor_id))
  const signed = identity && identity.verified_at !== null ? identity.email : null
  if (signed?.toLowerCase() === email.toLowerCase()) return true
  const place = { sessionId: id, workspaceId: workspace_id }
  return hasProvedAddress(tx.db, place, tx.secrets.digests(textOf(id, email)))
}

function textOf(sessionId: string, email: string): string {
  return `proved ${sessionId} ${email.toLowerCase()}`
}
