import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { type Context, transaction } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { isoTime } from '../http/pages.ts'
import { newId } from '../lib/ids.ts'
import type { Arrived } from './arrivals.ts'
import { readGeneric } from './channels/generic.ts'
import { readMeta } from './channels/meta.ts'
import { readStripe } from './channels/stripe.ts'
import { readTelegram } from './channels/telegram.ts'
import { readWhatsapp } from './channels/whatsapp.ts'
import { secretsOf, settingsOf } from './integrations.ts'
import { inboundEvents } from './queue.ts'
import { HookKind } from './schema.ts'
import { insertInbound } from './store.inbound.ts'
import { type IntegrationRow, findIntegration } from './store.ts'
import { isProven } from './verify.ts'

/** A provider's call as it came. */
interface Call {
  headers: IncomingHttpHeaders
  body: Buffer
}

/** The integration that a provider calls. Throws 404 for an unknown one, also by its kind. */
export async function openHook(
  ctx: Context,
  path: { kind: string; integration_id: string },
): Promise<IntegrationRow> {
  const kind = HookKind.safeParse(path.kind)
  const row = kind.success ? await findIntegration(ctx.db, path.integration_id) : undefined
  if (!row || row.kind !== kind.data || row.disabled_at !== null) {
    throw new AppError('not_found', 'There is no such integration.')
  }
  return row
}

/**
 * Takes what a provider tells: proven, parted and stored, each part once, before it is answered.
 * Answers how many parts were new. Throws 401, 400 and, for our own format, 422.
 */
export async function receiveCall(
  ctx: Context,
  integration: IntegrationRow,
  call: Call,
): Promise<number> {
  const now = ctx.now()
  if (!isProven(integration.kind, secretsOf(ctx, integration), { ...call, now })) {
    throw new AppError('unauthenticated', 'The signature does not fit, or it is too old.')
  }
  const arrived = readBody(ctx, integration, call)
  if (arrived.length === 0) return 0
  return transaction(ctx, async (tx) => {
    let count = 0
    for (const [position, { id, lane, arrival }] of arrived.entries()) {
      const rowId = newId('inb')
      const isNew = await insertInbound(tx.db, {
        id: rowId,
        workspace_id: integration.workspace_id,
        integration_id: integration.id,
        provider_event_id: id,
        payload: JSON.stringify(arrival),
        session_id: null,
        message_sequence: null,
        lane: lane ?? rowId,
        position,
        state: 'waiting',
        attempts: 0,
        next_at: now,
        lease_token: null,
        lease_until: null,
        error: null,
        created_at: now,
        ended_at: null,
      })
      if (isNew) count += 1
    }
    if (count > 0) inboundEvents.notify(tx)
    return count
  })
}

function readBody(ctx: Context, integration: IntegrationRow, call: Call): Arrived[] {
  const body = parseBody(call.body)
  const settings = settingsOf(integration)
  try {
    switch (integration.kind) {
      case 'whatsapp':
        return readWhatsapp(body, settings.phone_number_id)
      case 'telegram':
        return readTelegram(body)
      case 'meta':
        return readMeta(body, settings.account_id)
      case 'stripe':
        return readStripe(body)
      case 'generic':
        return readGeneric(body, deliveryIdOf(call), {
          tenantId: integration.tenant_id,
          at: isoTime(ctx.now()),
        })
    }
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error
    throw new AppError('malformed_request', `This is nothing that ${integration.kind} sends.`, {
      cause: error,
    })
  }
}

/** JSON in UTF-8. What no database keeps, NUL and half a surrogate pair, is taken out of texts. */
function parseBody(bytes: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return JSON.parse(text, (_name, value: unknown) =>
      typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value,
    )
  } catch (cause) {
    throw new AppError('malformed_request', 'The body is no JSON in UTF-8.', { cause })
  }
}

/** What our own webhooks call a delivery; the same bytes are the same event otherwise. */
function deliveryIdOf({ headers, body }: Call): string {
  const id = headers['webhook-id'] ?? headers['x-svc-delivery']
  if (typeof id === 'string' && id !== '') return id.slice(0, 200)
  return createHash('sha256').update(body).digest('hex')
}
