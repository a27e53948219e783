import { parseCitations } from '../../chat/session/stored-citations.ts'
import { findCitations } from '../../chat/session/store.ts'
import type { Context, Transaction } from '../../context.ts'
import type { DataOf } from '../../events/registry.ts'
import { newId } from '../../lib/ids.ts'
import { textOfMessage } from '../../lib/text/markdown-text.ts'
import type { Messaging } from '../channels/channel.ts'
import { findMessagingChannel } from '../channels/registry.ts'
import { channelOf, secretsOf, settingsOf } from '../integrations.ts'
import type { ProviderApi } from './provider-api.ts'
import { type IntegrationQueue, outboundMessages } from '../queue.ts'
import { findSessionContact } from '../inbound/store.contacts.ts'
import { type OutboundRow, emptyOutbound, insertOutbound, lastPosition } from './store.outbound.ts'
import { type IntegrationRow, findIntegration } from '../store.ts'
import { PermanentError } from '../errors.ts'

const MAX_CONCURRENCY = 16
/** Longer than the timeout of a provider's API. */
const LEASE_MS = 60_000

/**
 * Queues a message of the bot, an operator or the service for the visitor's messaging app, split to
 * the app's limit. Messages of other channels are ignored. Runs in the transaction of the message.
 */
export async function enqueueOutbound(
  tx: Transaction,
  _event: 'message.sent',
  { workspaceId, data }: { workspaceId: string; data: DataOf<'message.sent'> },
): Promise<void> {
  const channel = findMessagingChannel(data.channel)
  if (!channel) return
  const session = { workspace_id: workspaceId, id: data.session_id }
  const contact = await findSessionContact(tx.db, session)
  if (!contact) return
  const now = tx.now()
  const place = { integrationId: contact.integration_id, lane: contact.contact }
  // The message holds the session's lock, so that positions stay unique and in order.
  let position = await lastPosition(tx.db, place)
  const said = textOfMessage({ role: data.role, content: data.text }, channel.messaging.bold)
  const text = [said, ...(await sourceUrls(tx, workspaceId, data))].join('\n\n')
  for (const part of splitMessage(text, channel.messaging)) {
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

/** The URLs of an answer's sources, one a line, because an app shows no citations. */
async function sourceUrls(
  tx: Transaction,
  workspaceId: string,
  { role, session_id, message_id }: DataOf<'message.sent'>,
): Promise<string[]> {
  if (role !== 'assistant') return []
  const citations = parseCitations(
    await findCitations(tx.db, { workspaceId, session_id, message_id }),
  )
  const urls = new Set(citations.flatMap(({ url }) => (url === null ? [] : [url])))
  return urls.size === 0 ? [] : [[...urls].join('\n')]
}

/** The queue of outbound messages, in order for each person. */
export function outboundQueue(ctx: Context, api: ProviderApi): IntegrationQueue<OutboundRow> {
  return {
    queue: outboundMessages,
    concurrency: MAX_CONCURRENCY,
    leaseMs: LEASE_MS,
    run,
    onDead: eraseText,
  }

  async function run(row: OutboundRow, signal: AbortSignal): Promise<void> {
    const integration = await findIntegration(ctx.db, row.integration_id)
    if (!integration || row.text === null) return
    if (integration.disabled_at !== null)
      throw new PermanentError('The integration is switched off.')
    const sentId = await send(ctx, api, integration, { to: row.lane, text: row.text, signal })
    const end = { text: null, provider_message_id: sentId }
    await outboundMessages.complete(ctx.db, row, ctx.now(), end)
  }

  async function eraseText(row: OutboundRow): Promise<void> {
    await emptyOutbound(ctx.db, row, null)
  }
}

async function send(
  ctx: Context,
  api: ProviderApi,
  integration: IntegrationRow,
  { to, text, signal }: { to: string; text: string; signal: AbortSignal },
): Promise<string> {
  const { messaging, tokenField } = channelOf(integration)
  if (!messaging) throw new PermanentError('This kind of integration sends no messages.')
  const token = secretsOf(ctx, integration)[tokenField]
  if (token === undefined) throw new PermanentError('The integration has no token to answer with.')
  const account = { settings: settingsOf(integration), token }
  return api.call(messaging.send(account, { to, text }), messaging.sentId, signal)
}

/** Splits a text into messages within the app's limit, between words where that is possible. */
function splitMessage(text: string, limit: Messaging): string[] {
  const parts: string[] = []
  let part = ''
  for (const piece of text.split(/(?<=\s)/u)) {
    if (limit.sizeOf(part + piece) <= limit.maxSize) {
      part += piece
      continue
    }
    if (part.trim() !== '') parts.push(part.trim())
    part = ''
    // A word over the limit is split between characters.
    for (const character of piece) {
      if (limit.sizeOf(part + character) > limit.maxSize) {
        parts.push(part)
        part = ''
      }
      part += character
    }
  }
  if (part.trim() !== '') parts.push(part.trim())
  return parts
}
