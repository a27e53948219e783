import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { type Context, type Transaction, transaction } from '../context.ts'
import type { DataOf } from '../events.ts'
import { newId } from '../lib/ids.ts'
import type { Db, Tables } from '../storage/database.ts'
import { LONGEST_TEXT_BYTES, SentMeta, sendMeta } from './channels/meta.ts'
import { LONGEST_TEXT as TELEGRAM_TEXT, SentTelegram, sendTelegram } from './channels/telegram.ts'
import { LONGEST_TEXT as WHATSAPP_TEXT, SentWhatsapp, sendWhatsapp } from './channels/whatsapp.ts'
import { secretsOf, settingsOf } from './integrations.ts'
import type { ProviderApi } from './provider-api.ts'
import { endRow } from './queue.ts'
import { findContactOf } from './store.contacts.ts'
import { type IntegrationRow, findIntegration } from './store.ts'
import { GivenUp } from './trouble.ts'
import type { Queue } from './worker.ts'

type OutboxRow = Selectable<Tables['channel_messages']>

const MOST_AT_ONCE = 16
/** Longer than any call of a provider takes. */
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
  let position = await lastPosition(tx.db, place)
  for (const part of partsOf(data.text, data.channel)) {
    position += 1
    await tx.db
      .insertInto('channel_messages')
      .values({
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
        lease_until: null,
        error: null,
        created_at: now,
        ended_at: null,
      })
      .execute()
  }
  tx.afterCommit.push(() => tx.wakeups.wake('channels'))
}

/** The place of the last message to somebody that still waits; the session's lock keeps it right. */
async function lastPosition(
  db: Db,
  place: { integrationId: string; lane: string },
): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    select max(position) as last from channel_messages
    where integration_id = ${place.integrationId} and lane = ${place.lane}
      and state = 'waiting'`.execute(db)
  return rows[0]?.last ?? 0
}

/** Sends what waits, in order for each person. */
export function outboxQueue(ctx: Context, api: ProviderApi): Queue<OutboxRow> {
  return {
    table: 'channel_messages',
    most: MOST_AT_ONCE,
    leaseMs: LEASE_MS,
    work,
    onFailed: forget,
  }

  async function work(row: OutboxRow, signal: AbortSignal): Promise<void> {
    const integration = await findIntegration(ctx.db, row.integration_id)
    if (!integration || row.text === null) return
    if (integration.disabled_at !== null) throw new GivenUp('The integration is switched off.')
    const id = await send(ctx, api, integration, { to: row.lane, text: row.text, signal })
    await transaction(ctx, async (tx) => {
      const end = { state: 'done', error: null, now: tx.now() } as const
      if (!(await endRow(tx.db, 'channel_messages', row, end))) return
      await empty(tx.db, row, id)
    })
  }

  async function forget(row: OutboxRow): Promise<void> {
    await empty(ctx.db, row, null)
  }
}

/** The conversation has what was said; here it is only needed until it is sent. */
async function empty(db: Db, row: OutboxRow, providerMessageId: string | null): Promise<void> {
  await db
    .updateTable('channel_messages')
    .set({ text: null, provider_message_id: providerMessageId })
    .where('id', '=', row.id)
    .where('workspace_id', '=', row.workspace_id)
    .execute()
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
  if (token === undefined) throw new GivenUp('The integration has no token to answer with.')
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
      throw new GivenUp('Nobody can be answered through this integration.')
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
