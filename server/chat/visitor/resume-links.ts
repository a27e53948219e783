import type { Context, Transaction } from '../../context.ts'
import { constantTimeEqual } from '../../lib/constant-time.ts'
import { DAY_MS } from '../../lib/durations.ts'

const LINK_TTL_MS = 7 * DAY_MS

/** Returns the signed link by which a visitor returns to a conversation, from any browser. */
export function resumeLink(
  ctx: Context | Transaction,
  session: { id: string; tenant_id: string },
): string {
  const expiresAt = ctx.now() + LINK_TTL_MS
  const signature = ctx.secrets.digest(signedText(session.id, expiresAt))
  const path = `chat/${session.tenant_id}/resume/${session.id}/${expiresAt}/${signature}`
  return `${ctx.config.publicUrl ?? ''}/${path}`
}

/** Returns whether a link is signed by this installation and has not expired. */
export function isResumeLink(
  ctx: Context,
  { id, expiresAt, signature }: { id: string; expiresAt: number; signature: string },
): boolean {
  if (expiresAt <= ctx.now()) return false
  return ctx.secrets
    .digests(signedText(id, expiresAt))
    .some((digest) => constantTimeEqual(signature, digest))
}

function signedText(sessionId: string, expiresAt: number): string {
  return `resume:${sessionId}:${expiresAt}`
}
