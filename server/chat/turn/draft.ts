import { type Context, transaction } from '../../context.ts'
import { startHoldHeartbeat } from '../../credits/heartbeat.ts'
import { releaseHold, settleHold } from '../../credits/ledger.ts'
import { usedBy } from '../../credits/usage.ts'
import { AppError } from '../../http/errors.ts'
import { type Milli, toCredits, turnCost } from '../../lib/money.ts'
import type { AnswerEnd } from '../../models/embedded/extractive.ts'
import type { UserCaller } from '../../platform/auth/authenticator.ts'
import { shutdownReason } from '../../runtime/in-flight.ts'
import type { TenantRow } from '../../tenants/tenants.ts'
import type { Citation } from '../schema.ts'
import { type SessionRow, findLastVisitorMessage } from '../session/store.ts'
import { openAnswerer, streamAnswer } from './answerer.ts'
import { buildCitations } from './citations.ts'
import { recordDailyUsage, reserveTurnCredits } from './daily-cap.ts'
import { readAndRetrieve } from './retrieval.ts'

/**
 * Drafts an operator's reply to the visitor's last message from the site's documents, at the price
 * of a turn. Adds no message and runs no tool. The content is empty when the documents hold no
 * answer. Throws 409 before the visitor has written, 402, and the failures of a model, which cost
 * nothing.
 */
export async function draftReply(
  ctx: Context,
  caller: UserCaller,
  { tenant, session }: { tenant: TenantRow; session: SessionRow },
  disconnected: AbortSignal,
): Promise<{ content: string; citations: Citation[]; credits_used: number }> {
  const message = await findLastVisitorMessage(ctx.db, {
    workspaceId: session.workspace_id,
    sessionId: session.id,
  })
  if (!message) throw new AppError('conflict', 'The visitor has not written anything yet.')
  const writer = await openAnswerer(ctx, tenant.workspace_id)
  const max = writer.maxCost(message.content)
  const hold = await transaction(ctx, (tx) => reserveTurnCredits(tx, tenant, { message, max }))
  let isSettled = false
  const stopHeartbeat = startHoldHeartbeat(ctx, { hold, key: undefined })
  const stop = new AbortController()
  const signal = AbortSignal.any([disconnected, stop.signal])
  const endWork = ctx.inFlight.add(stop)
  try {
    const place = { tenant, session, message }
    const hasModel = writer.models.length > 0
    const { understood, hits, isSearchable } = await readAndRetrieve(ctx, place, hasModel)
    // Without the site's knowledge a model would invent.
    const answerer = isSearchable ? writer : { ...writer, models: [] }
    const pageUrl = session.page_url
    const request = { ...place, client: undefined, understood, hits, pageUrl, isDraft: true }
    let content = ''
    let end: AnswerEnd | undefined
    for await (const piece of streamAnswer(ctx, answerer, request, signal)) {
      if ('end' in piece) end = piece.end
      else content += piece.delta
    }
    const stopped = shutdownReason(signal)
    if (stopped) throw stopped
    if (!end || content === '') {
      throw new AppError('model_failed', 'The draft broke off. Nothing was charged.')
    }
    const { usage, used, isUnknown, meter } = end
    const cost: Milli = Math.min(turnCost(usage.inputTokens, usage.outputTokens), hold.amount)
    await transaction(ctx, async (tx) => {
      await recordDailyUsage(tx, [{ hold, cost }])
      await settleHold(tx, hold, cost, { ...usedBy(caller), tenantId: tenant.id, ...usage })
    })
    isSettled = true
    meter?.charge(cost)
    return {
      content: isUnknown ? '' : content,
      citations: isUnknown ? [] : buildCitations(ctx.indexes, hits, used, content),
      credits_used: toCredits(cost),
    }
  } finally {
    stopHeartbeat()
    try {
      if (!isSettled) await transaction(ctx, (tx) => releaseHold(tx, hold))
    } finally {
      endWork()
    }
  }
}
