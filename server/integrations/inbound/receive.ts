import { z } from 'zod'
import { type Context, transaction } from '../../context.ts'
import { AppError } from '../../http/errors.ts'
import { newId } from '../../lib/ids.ts'
import { HookKind, type SignedCall } from '../channels/channel.ts'
import type { ParsedEvent } from '../channels/inbound-events.ts'
import { channelOf, secretsOf, settingsOf } from '../integrations.ts'
import { type InboundRow, hasNewInbound, insertInbound, markCall } from './store.inbound.ts'
import { inboundEvents } from '../queue.ts'
import { type IntegrationRow, findIntegration } from '../store.ts'

/** Loads the integration that a provider calls. Throws 404 unless id, kind and state fit. */
export async function openHook(
  ctx: Context,
  path: { kind: string; integration_id: string },
): Promise<IntegrationRow> {
  const kind = HookKind.safeParse(path.kind)
  const row = kind.success ? await findIntegration(ctx.db, path.integration_id) : undefined
  if (!row || row.kind !== kind.data || row.disabled_at !== null) {
    throw new AppError('not_found', 'This integration does not exist.')
  }
  return row
}

/** Verifies the signature of a call. Throws 401. */
export function verifyCall(ctx: Context, integration: IntegrationRow, call: SignedCall): void {
  if (channelOf(integration).verify(secretsOf(ctx, integration), call)) return
  throw new AppError(
    'unauthenticated',
    'The signature is wrong or too old. Check the secret and the clock.',
  )
}

/** A verified call, parsed. */
export interface ParsedCall {
  events: ParsedEvent[]
  /** Whether the call can have no effect: its events are stored already, or it has none. */
  isIdle: boolean
}

/** Parses a verified call. Throws 400 and, for the generic format, 422. */
export async function parseCall(
  ctx: Context,
  integration: IntegrationRow,
  call: SignedCall,
): Promise<ParsedCall> {
  const events = parseEvents(ctx, integration, call)
  return { events, isIdle: !(await hasNewInbound(ctx.db, integration.id, events)) }
}

/**
 * Stores the events of a call for the queue, each id once, in one transaction. Returns the number of new
 * events.
 */
export async function receiveEvents(
  ctx: Context,
  integration: IntegrationRow,
  events: readonly ParsedEvent[],
): Promise<number> {
  if (events.length === 0) return 0
  const now = ctx.now()
  return transaction(ctx, async (tx) => {
    let count = 0
    for (const [position, { id, replayKey, orderingKey, event }] of events.entries()) {
      const rowId = newId('inb')
      const row: InboundRow = {
        id: rowId,
        workspace_id: integration.workspace_id,
        integration_id: integration.id,
        provider_event_id: id,
        payload: JSON.stringify(event),
        session_id: null,
        message_sequence: null,
        lane: orderingKey ?? rowId,
        position,
        state: 'waiting',
        attempts: 0,
        next_at: now,
        lease_token: null,
        lease_until: null,
        error: null,
        created_at: now,
        ended_at: null,
      }
      const isReplay = replayKey !== undefined && !(await markCall(tx.db, row, replayKey))
      if (!isReplay && (await insertInbound(tx.db, row))) count += 1
    }
    if (count > 0) inboundEvents.notify(tx)
    return count
  })
}

function parseEvents(ctx: Context, integration: IntegrationRow, call: SignedCall): ParsedEvent[] {
  const { tenant_id: tenantId } = integration
  const body = parseBody(call.body)
  try {
    return channelOf(integration).parse(body, {
      ...call,
      tenantId,
      secrets: secretsOf(ctx, integration),
      settings: settingsOf(integration),
    })
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error
    throw new AppError('malformed_request', `The body is not an event of ${integration.kind}.`, {
      cause: error,
    })
  }
}

/** Parses JSON in UTF-8, without NUL and lone surrogates, which no database stores. Throws 400. */
function parseBody(bytes: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return JSON.parse(text, (_name, value: unknown) =>
      typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value,
    )
  } catch (cause) {
    throw new AppError('malformed_request', 'The body is not valid JSON in UTF-8.', { cause })
  }
}
