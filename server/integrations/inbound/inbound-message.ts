import { beginTurn } from '../../chat/turn/answer.ts'
import { LOW_ANSWERS } from '../../chat/handoff/handoff.ts'
import { addMessage, receiveMessage } from '../../chat/session/messages.ts'
import { MAX_MESSAGE_LENGTH, Turn } from '../../chat/schema.ts'
import { startSession } from '../../chat/session/sessions.ts'
import {
  type MessageRow,
  type SessionRow,
  findSession,
  listMessages,
} from '../../chat/session/store.ts'
import { type TenantRow, findTenant, isEnabled, visitorTexts } from '../../tenants/tenants.ts'
import { type Context, type Transaction, transaction } from '../../context.ts'
import { emit } from '../../events.ts'
import { MINUTE_MS } from '../../lib/durations.ts'
import { AppError, type ErrorCode } from '../../http/errors.ts'
import { newId } from '../../lib/ids.ts'
import { type ChannelStrings, en } from '../../locales/channel.en.ts'
import { tr } from '../../locales/channel.tr.ts'
import type { VisitorCaller } from '../../platform/auth/authenticator.ts'
import { type RequestKey, findReplay } from '../../platform/idempotency.ts'
import type { InboundMessage } from '../channels/inbound-events.ts'
import { inboundEvents } from '../queue.ts'
import { countMessagesSince, upsertContact, setContactSession } from './store.contacts.ts'
import { type InboundRow, linkInbound } from './store.inbound.ts'
import type { IntegrationRow } from '../store.ts'
import { RetryableError } from '../errors.ts'

/** End of the year 9999, for a caller without a token. */
const NO_EXPIRY = 253_402_300_799_000
/** Attempts at an answer before the visitor gets a message that one will follow later. */
const MAX_TRIES = 3
const LOCALE = /^[a-z]{2}(-[A-Z]{2})?$/
const RETRYABLE: ReadonlySet<ErrorCode> = new Set([
  'credits_held',
  'request_in_progress',
  'model_failed',
  'model_timeout',
  'unavailable',
])

interface Conversation {
  tenant: TenantRow
  session: SessionRow
  message: MessageRow
}

/**
 * Adds a messaging app's message to its conversation, once, and answers it like a message of the
 * widget: at the price of a turn, and not while an operator has the conversation. Throws `RetryableError`
 * where a later attempt may succeed.
 */
export async function handleInboundMessage(
  ctx: Context,
  { integration, event }: { integration: IntegrationRow; event: InboundRow },
  message: InboundMessage,
  signal: AbortSignal,
): Promise<void> {
  const tenant = await findTenant(ctx.db, integration.tenant_id)
  if (!tenant || tenant.disabled_at !== null) return finish(ctx, event)
  if (await ctx.suspensions.has(tenant.workspace_id)) return finish(ctx, event)
  const conversation =
    (await findConversation(ctx, tenant, event)) ??
    (await transaction(ctx, (tx) => beginConversation(tx, tenant, { integration, event }, message)))
  // Messages of a channel that is switched off stay in the inbox, for operators to answer.
  if (!conversation || !isEnabled(tenant, integration.kind)) return finish(ctx, event)
  const notice = noticeFor(tenant, conversation.session, message)
  if (notice !== undefined) return finishWithNotice(ctx, event, conversation, notice)
  // Two bots that answer each other would use up all credits.
  if (await isOverRate(ctx, conversation)) return finish(ctx, event)
  await answer(ctx, event, conversation, signal)
}

/** The message that an earlier attempt at the event stored. */
async function findConversation(
  ctx: Context,
  tenant: TenantRow,
  { session_id, message_sequence }: InboundRow,
): Promise<Conversation | undefined> {
  if (session_id === null || message_sequence === null) return undefined
  const session = await findSession(ctx.db, session_id)
  if (!session) return undefined
  const place = { workspaceId: session.workspace_id, sessionId: session.id }
  const after = message_sequence - 1
  const [message] = await listMessages(ctx.db, place, { limit: 1, after })
  return message && { tenant, session, message }
}

/** Stores the contact, the conversation, the message and its events in one transaction. */
async function beginConversation(
  tx: Transaction,
  tenant: TenantRow,
  { integration, event }: { integration: IntegrationRow; event: InboundRow },
  message: InboundMessage,
): Promise<Conversation | undefined> {
  // A message that was erased since must not come back.
  if (event.message_sequence !== null || !(await inboundEvents.lock(tx.db, event))) return undefined
  const contact = await upsertContact(tx.db, {
    integration_id: integration.id,
    contact: message.contact,
    workspace_id: integration.workspace_id,
    visitor_id: newId('vis'),
    session_id: null,
    created_at: tx.now(),
  })
  const locale = message.locale !== null && LOCALE.test(message.locale) ? message.locale : undefined
  const current =
    contact.session_id === null ? undefined : await findSession(tx.db, contact.session_id)
  const session =
    current && current.state !== 'closed'
      ? current
      : await startSession(tx, tenant, {
          caller: callerFor(tenant, contact.visitor_id),
          locale,
          channel: integration.kind,
        })
  if (session.id !== contact.session_id) await setContactSession(tx.db, contact, session.id)
  const words = channelStrings(session.locale)
  const text = trimText(message.text) ?? words.notText
  const received = await receiveMessage(tx, tenant, session, text)
  await linkInbound(tx.db, event, {
    sessionId: session.id,
    sequence: received.message.sequence,
  })
  if (message.social) {
    await emit(tx, 'social.dm.received', {
      workspaceId: tenant.workspace_id,
      tenantId: tenant.id,
      source: integration.kind,
      sessionId: session.id,
      data: { ...message.social, text },
    })
  }
  return { tenant, ...received }
}

/** Whether the contact exceeds the widget's rate limit of messages a minute. */
async function isOverRate(
  { db, config }: Context,
  { session, message }: Conversation,
): Promise<boolean> {
  const { message: limit } = config.limits
  if (limit === 0) return false
  const since = message.created_at - MINUTE_MS
  return (await countMessagesSince(db, session, { since, max: limit + 1 })) > limit
}

/** The text that the service answers with, without a model and free of charge. */
function noticeFor(
  tenant: TenantRow,
  session: SessionRow,
  message: InboundMessage,
): string | undefined {
  const words = channelStrings(session.locale)
  if (trimText(message.text) === undefined) return words.onlyText
  if (!message.isOpening || session.state !== 'bot') return undefined
  const { greeting } = visitorTexts(tenant, session.locale)
  return greeting === '' ? words.welcome(tenant.name) : greeting
}

/** Answers the message. Throws `RetryableError` for a failure that may pass. */
async function answer(
  ctx: Context,
  event: InboundRow,
  { tenant, session, message }: Conversation,
  signal: AbortSignal,
): Promise<void> {
  const caller = callerFor(tenant, session.visitor_id ?? '')
  const key: RequestKey = {
    workspaceId: tenant.workspace_id,
    caller: caller.id,
    route: 'hooks',
    requestId: event.id,
    digest: event.id,
  }
  let turn: Turn | undefined
  try {
    const replay = await findReplay(ctx, key)
    turn =
      replay === undefined
        ? await runTurn(ctx, { caller, tenant, session, message, key }, signal)
        : Turn.parse(JSON.parse(replay))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (RETRYABLE.has(error.code) && event.attempts < MAX_TRIES) {
      throw new RetryableError(`There was no answer yet (${error.code}).`, { cause: error })
    }
    ctx.log.warn(
      { event: 'channels.answer_failed', code: error.code, session: session.id },
      'answering a channel message failed',
    )
    const { noAnswer } = channelStrings(session.locale)
    return finishWithNotice(ctx, event, { session }, noAnswer)
  }
  const choices = turn?.reply?.quick_replies ?? []
  // Listed after the first low-confidence answer only: unlike buttons, messages stay visible.
  const isFirst = (await findSession(ctx.db, session.id))?.low_answers === LOW_ANSWERS
  if (choices.length === 0 || !isFirst) return finish(ctx, event)
  await finishWithNotice(ctx, event, { session }, channelStrings(session.locale).choices(choices))
}

/** Runs a turn of the chat for a message that is already stored. */
async function runTurn(
  ctx: Context,
  {
    caller,
    tenant,
    session,
    message,
    key,
  }: Conversation & { caller: VisitorCaller; key: RequestKey },
  signal: AbortSignal,
): Promise<Turn | undefined> {
  const input = { tenant_id: tenant.id, message: message.content, session_id: session.id }
  const received = { session: (await findSession(ctx.db, session.id)) ?? session, message }
  let turn: Turn | undefined
  for await (const piece of await beginTurn(ctx, caller, tenant, {
    input,
    key,
    signal,
    client: caller.id,
    received,
  })) {
    if ('turn' in piece) turn = piece.turn
  }
  return turn
}

/** Ends the event and adds a notice of the service in one transaction. */
function finishWithNotice(
  ctx: Context,
  event: InboundRow,
  { session }: Pick<Conversation, 'session'>,
  content: string,
): Promise<void> {
  return transaction(ctx, async (tx) => {
    if (await endEvent(tx, event)) await addMessage(tx, session, { role: 'system', content })
  })
}

async function finish(ctx: Context, event: InboundRow): Promise<void> {
  await transaction(ctx, (tx) => endEvent(tx, event))
}

/** Ends an event and erases its payload; false when the lease is lost. */
export function endEvent(tx: Transaction, event: InboundRow): Promise<boolean> {
  return inboundEvents.complete(tx.db, event, tx.now(), { payload: null, lane: '' })
}

function callerFor(tenant: TenantRow, visitorId: string): VisitorCaller {
  return {
    kind: 'visitor',
    id: visitorId,
    workspaceId: tenant.workspace_id,
    tenantId: tenant.id,
    expiresAt: NO_EXPIRY,
  }
}

function trimText(text: string | null): string | undefined {
  const trimmed = text?.trim() ?? ''
  return trimmed === '' ? undefined : [...trimmed].slice(0, MAX_MESSAGE_LENGTH).join('')
}

function channelStrings(locale: string): ChannelStrings {
  return /^tr\b/i.test(locale) ? tr : en
}
