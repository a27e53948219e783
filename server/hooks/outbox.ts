import { readCitations } from '../chat/citations.ts'
import { findCitations } from '../chat/store.ts'
import type { Context, Transaction } from '../context.ts'
import type { DataOf } from '../events.ts'
import { newId } from '../lib/ids.ts'
import { LONGEST_TEXT_BYTES, SentMeta, sendMeta } from './channels/meta.ts'
import { LONGEST_TEXT as TELEGRAM_TEXT, SentTelegram, sendTelegram } from './channels/telegram.ts'
import { LONGEST_TEXT as WHATSAPP_TEXT, SentWhatsapp, sendWhatsapp } from './channels/whatsapp.ts'
import { secretsOf, settingsOf } from './integrations.ts'
import type { ProviderApi } from './provider-api.ts'
import { type IntegrationQueue, outboundMessages } from './queue.ts'
import { findContactOf } from './store.contacts.ts'
import { type OutboxRow, emptyOutbound, insertOutbound, lastPosition } from './store.outbox.ts'
import { type IntegrationRow, findIntegration } from './store.ts'
import { PermanentError } from './errors.ts'

const MAX_CONCURRENCY = 16
/** Longer than the timeout of a call to a provider. */
const LEASE_MS = 60_000
const CHANNELS = new Set(['whatsapp', 'telegram', 'meta'])

/** Has what the bot, an operator or the service says carried to where the visitor reads it. */
export async function carryMessage(
  tx: Transaction,
  _event: 'message.sent',
  { workspaceId, data }: { workspaceId: string; data: DataOf<'message.sent'> },
): Promise<void> {
  if (!CHANNELS.has(data.channel)) return
  const session = { workspace_id: workspaceId, id: data.session_id }
  const contact = await findContactOf(tx.db, session)
  if (!contact) return
  const now = tx.now()
  const place = { integrationId: contact.integration_id, lane: contact.contact }
  // In their order; the session's lock, which the message holds, keeps the numbers apart.
  let position = await lastPosition(tx.db, place)
  const text = [data.text, ...(await sourcesOf(tx, workspaceId, data))].join('\n\n')
  for (const part of partsOf(text, data.channel)) {
    position += 1
    await insertOutbound(tx.db, {
      id: newId('out'),
      workspace_id: workspaceId,
      integration_id: contact.integration_id,
      session_id: data.session_id,
      text: part,
      provider_message_id: null,
      lane: contact.contact,
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
  }
  outboundMessages.notify(tx)
}

/** The addresses of the pages that an answer rests on, one a line: an app shows no citations. */
async function sourcesOf(
  tx: Transaction,
  workspaceId: string,
  { role, session_id, message_id }: DataOf<'message.sent'>,
): Promise<string[]> {
  if (role !== 'assistant') return []
  const citations = readCitations(
    await findCitations(tx.db, { workspaceId, session_id, message_id }),
  )
  const urls = new Set(citations.flatMap(({ url }) => (url === null ? [] : [url])))
  return urls.size === 0 ? [] : [[...urls].join('\n')]
}

/** Sends what waits, in order for each person. */
export function outboxQueue(ctx: Context, api: ProviderApi): IntegrationQueue<OutboxRow> {
  return {
    queue: outboundMessages,
    concurrency: MAX_CONCURRENCY,
    leaseMs: LEASE_MS,
    run,
    onDead: forget,
  }

  async function run(row: OutboxRow, signal: AbortSignal): Promise<void> {
    const integration = await findIntegration(ctx.db, row.integration_id)
    if (!integration || row.text === null) return
    if (integration.disabled_at !== null)
      throw new PermanentError('The integration is switched off.')
    const id = await send(ctx, api, integration, { to: row.lane, text: row.text, signal })
    const end = { text: null, provider_message_id: id }
    await outboundMessages.complete(ctx.db, row, ctx.now(), end)
  }

  async function forget(row: OutboxRow): Promise<void> {
    await emptyOutbound(ctx.db, row, null)
  }
}

async function send(
  ctx: Context,
  api: ProviderApi,
  integration: IntegrationRow,
  { to, text, signal }: { to: string; text: string; signal: AbortSignal },
): Promise<string> {
  const settings = settingsOf(integration)
  const { access_token, bot_token } = secretsOf(ctx, integration)
  const token = integration.kind === 'telegram' ? bot_token : access_token
  if (token === undefined) throw new PermanentError('The integration has no token to answer with.')
  const message = { to, text }
  switch (integration.kind) {
    case 'whatsapp':
      return api.call(sendWhatsapp({ settings, token }, message), SentWhatsapp, signal)
    case 'telegram':
      return api.call(sendTelegram({ settings, token }, message), SentTelegram, signal)
    case 'meta':
      return api.call(sendMeta({ settings, token }, message), SentMeta, signal)
    case 'stripe':
    case 'generic':
      throw new PermanentError('Nobody can be answered through this integration.')
  }
}

/** A text in pieces that the app takes, cut between words where that is possible. */
export function partsOf(text: string, channel: string): string[] {
  const isBytes = channel === 'meta'
  const most = isBytes ? LONGEST_TEXT_BYTES : channel === 'telegram' ? TELEGRAM_TEXT : WHATSAPP_TEXT
  const sizeOf = (part: string) => (isBytes ? Buffer.byteLength(part) : part.length)
  const parts: string[] = []
  let part = ''
  for (const piece of text.split(/(?<=\s)/u)) {
    if (sizeOf(part + piece) <= most) {
      part += piece
      continue
    }
    if (part.trim() !== '') parts.push(part.trim())
    part = ''
    // A word that is longer than a message is cut wherever it must be.
    for (const letter of piece) {
      if (sizeOf(part + letter) > most) {
        parts.push(part)
        part = ''
      }
      part += letter
    }
  }
  if (part.trim() !== '') parts.push(part.trim())
  return parts
}
