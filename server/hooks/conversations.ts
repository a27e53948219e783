import { startTurn } from '../chat/answer.ts'
import { LOW_ANSWERS } from '../chat/handoff.ts'
import { addMessage, receiveMessage } from '../chat/messages.ts'
import { MAX_MESSAGE_LENGTH, Turn } from '../chat/schema.ts'
import { startSession } from '../chat/sessions.ts'
import { type MessageRow, type SessionRow, findSession, listMessages } from '../chat/store.ts'
import { type TenantRow, findTenant, isOn } from '../chat/tenants.ts'
import { type Context, type Transaction, transaction } from '../context.ts'
import { emit } from '../events.ts'
import { AppError, type ErrorCode } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import { type ChannelWords, en } from '../locales/channel.en.ts'
import { tr } from '../locales/channel.tr.ts'
import type { VisitorCaller } from '../platform/callers.ts'
import { type RequestKey, findReplay } from '../platform/idempotency.ts'
import type { SaidMessage } from './arrivals.ts'
import { inboundEvents } from './queue.ts'
import { countSaidSince, keepContact, moveContact } from './store.contacts.ts'
import { type InboundRow, linkInbound } from './store.inbound.ts'
import type { IntegrationRow } from './store.ts'
import { RetryableError } from './errors.ts'

/** A second after midnight of the year 9999: what a token's end is where there is no token. */
const NEVER = 253_402_300_799_000
/** So often an answer is tried before the visitor hears that there will be none at once. */
const MOST_TRIES = 3
const MINUTE_MS = 60_000
const KNOWN_LOCALE = /^[a-z]{2}(-[A-Z]{2})?$/
const TEMPORARY: ReadonlySet<ErrorCode> = new Set([
  'credits_held',
  'request_in_progress',
  'model_failed',
  'model_timeout',
  'unavailable',
])

interface Talk {
  tenant: TenantRow
  session: SessionRow
  message: MessageRow
}

/**
 * Puts what somebody wrote in a messaging app into their conversation, once, and has it answered
 * like any other message: paid for like a turn, silent while an operator has it.
 */
export async function takeMessage(
  ctx: Context,
  { integration, event }: { integration: IntegrationRow; event: InboundRow },
  said: SaidMessage,
  signal: AbortSignal,
): Promise<void> {
  const tenant = await findTenant(ctx.db, integration.tenant_id)
  if (!tenant || tenant.disabled_at !== null) return finish(ctx, event)
  const talk =
    (await findTalk(ctx, tenant, event)) ??
    (await transaction(ctx, (tx) => beginTalk(tx, tenant, { integration, event }, said)))
  // A channel that is switched off stays in the inbox, for people to answer.
  if (!talk || !isOn(tenant, integration.kind)) return finish(ctx, event)
  const ownWords = wordsOf(tenant, talk.session, said)
  if (ownWords !== undefined) return finishSaying(ctx, event, talk, ownWords)
  // Two programs that answer each other would go on until the credits are gone.
  if (await isTooMuch(ctx, talk)) return finish(ctx, event)
  await answer(ctx, event, talk, signal)
}

/** The message that the event became before this process or another one died over it. */
async function findTalk(
  ctx: Context,
  tenant: TenantRow,
  { session_id, message_sequence }: InboundRow,
): Promise<Talk | undefined> {
  if (session_id === null || message_sequence === null) return undefined
  const session = await findSession(ctx.db, session_id)
  if (!session) return undefined
  const place = { workspaceId: session.workspace_id, sessionId: session.id }
  const after = message_sequence - 1
  const [message] = await listMessages(ctx.db, place, { limit: 1, after })
  return message && { tenant, session, message }
}

/** One commit: the person, their conversation, the message and its events. */
async function beginTalk(
  tx: Transaction,
  tenant: TenantRow,
  { integration, event }: { integration: IntegrationRow; event: InboundRow },
  said: SaidMessage,
): Promise<Talk | undefined> {
  // Its message was erased meanwhile: it must not come back.
  if (event.message_sequence !== null || !(await inboundEvents.lock(tx.db, event))) return undefined
  const contact = await keepContact(tx.db, {
    integration_id: integration.id,
    contact: said.contact,
    workspace_id: integration.workspace_id,
    visitor_id: newId('vis'),
    session_id: null,
    created_at: tx.now(),
  })
  const locale = said.locale !== null && KNOWN_LOCALE.test(said.locale) ? said.locale : undefined
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
  if (session.id !== contact.session_id) await moveContact(tx.db, contact, session.id)
  const words = channelWords(session.locale)
  const text = cut(said.text) ?? words.notText
  const received = await receiveMessage(tx, tenant, session, text)
  await linkInbound(tx.db, event, {
    sessionId: session.id,
    sequence: received.message.sequence,
  })
  if (said.social) {
    await emit(tx, 'social.dm.received', {
      workspaceId: tenant.workspace_id,
      tenantId: tenant.id,
      source: integration.kind,
      sessionId: session.id,
      data: { ...said.social, text },
    })
  }
  return { tenant, ...received }
}

/** Whether somebody writes more in a minute than a visitor of a page may. */
async function isTooMuch({ db, config }: Context, { session, message }: Talk): Promise<boolean> {
  const { message: most } = config.limits
  if (most === 0) return false
  const since = message.created_at - MINUTE_MS
  return (await countSaidSince(db, session, { since, most: most + 1 })) > most
}

/** What the service says itself, without a model and without a price. */
function wordsOf(tenant: TenantRow, session: SessionRow, said: SaidMessage): string | undefined {
  const words = channelWords(session.locale)
  if (cut(said.text) === undefined) return words.onlyText
  if (!said.isOpening || session.state !== 'bot') return undefined
  return tenant.greeting === '' ? words.welcome(tenant.name) : tenant.greeting
}

/** Has the message answered. Throws `RetryableError` for what may go better then. */
async function answer(
  ctx: Context,
  event: InboundRow,
  { tenant, session, message }: Talk,
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
        ? await takeTurn(ctx, { caller, tenant, session, message, key }, signal)
        : Turn.parse(JSON.parse(replay))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (TEMPORARY.has(error.code) && event.attempts < MOST_TRIES) {
      throw new RetryableError(`There was no answer yet (${error.code}).`, { cause: error })
    }
    ctx.log.warn({ code: error.code, session: session.id }, 'a message was kept without an answer')
    const { noAnswer } = channelWords(session.locale)
    return finishSaying(ctx, event, { session }, noAnswer)
  }
  const choices = turn?.reply?.quick_replies ?? []
  // Buttons go away, messages stay: they are named once while the bot knows no better.
  const isFirst = (await findSession(ctx.db, session.id))?.low_answers === LOW_ANSWERS
  if (choices.length === 0 || !isFirst) return finish(ctx, event)
  await finishSaying(ctx, event, { session }, channelWords(session.locale).choices(choices))
}

/** One turn of the chat, whose message is stored already. */
async function takeTurn(
  ctx: Context,
  { caller, tenant, session, message, key }: Talk & { caller: VisitorCaller; key: RequestKey },
  signal: AbortSignal,
): Promise<Turn | undefined> {
  const input = { tenant_id: tenant.id, message: message.content, session_id: session.id }
  const received = { session: (await findSession(ctx.db, session.id)) ?? session, message }
  let turn: Turn | undefined
  for await (const piece of await startTurn(ctx, caller, tenant, {
    input,
    key,
    signal,
    received,
  })) {
    if ('turn' in piece) turn = piece.turn
  }
  return turn
}

/** One commit: the words, and the end of the event. */
function finishSaying(
  ctx: Context,
  event: InboundRow,
  { session }: Pick<Talk, 'session'>,
  content: string,
): Promise<void> {
  return transaction(ctx, async (tx) => {
    if (await endEvent(tx, event)) await addMessage(tx, session, { role: 'system', content })
  })
}

async function finish(ctx: Context, event: InboundRow): Promise<void> {
  await transaction(ctx, (tx) => endEvent(tx, event))
}

/** Ends an event and forgets its content; false when the lease is lost. */
export function endEvent(tx: Transaction, event: InboundRow): Promise<boolean> {
  return inboundEvents.complete(tx.db, event, tx.now(), { payload: null, lane: '' })
}

function callerFor(tenant: TenantRow, visitorId: string): VisitorCaller {
  return {
    kind: 'visitor',
    id: visitorId,
    workspaceId: tenant.workspace_id,
    tenantId: tenant.id,
    expiresAt: NEVER,
  }
}

function cut(text: string | null): string | undefined {
  const trimmed = text?.trim() ?? ''
  return trimmed === '' ? undefined : [...trimmed].slice(0, MAX_MESSAGE_LENGTH).join('')
}

function channelWords(locale: string): ChannelWords {
  return /^tr\b/i.test(locale) ? tr : en
}
