import { type Transaction, allDone } from '../../context.ts'
import { prefetch } from '../../events.ts'
import { AppError } from '../../http/errors.ts'
import type { Milli } from '../../lib/money.ts'
import type { Caller } from '../../platform/auth/authenticator.ts'
import {
  type RequestKey,
  claimRequest,
  releaseClaim,
  storeResponse,
} from '../../platform/idempotency.ts'
import { serializeTransaction } from '../../storage/query-hints.ts'
import type { TenantRow } from '../../tenants/tenants.ts'
import type { SendMessage, Turn } from '../schema.ts'
import {
  findRefusedMessage,
  receiveCounted,
  receiveMessage,
  refusedMessageRef,
} from '../session/messages.ts'
import { assertMayUse, openSession, startSession } from '../session/sessions.ts'
import {
  type MessageRow,
  type SessionRow,
  afterVisitorMessage,
  findLockedSession,
  saveVisitorMessage,
} from '../session/store.ts'
import { readOperatorSessions } from '../session/transitions.ts'
import { isHandoffReply, matchesHandoffIntent } from '../session/strings.ts'
import {
  type TurnBudget,
  type TurnHold,
  type TurnHoldRequest,
  holdTurns,
  lockBudget,
  requestHold,
} from './daily-cap.ts'
import { turnWithoutBot } from './turn-without-bot.ts'
import { acceptsOffer } from './understanding.ts'

/** A visitor's message in its session. */
export interface ReceivedMessage {
  session: SessionRow
  message: MessageRow
}

/** A message for which a turn is to begin. */
export interface TurnOpening {
  caller: Caller
  tenant: TenantRow
  input: SendMessage
  key: RequestKey | undefined
  /** The maximum cost of the answer. */
  max: Milli
  /** The limit key of the visitor's device; undefined for members and keys. */
  client: string | undefined
  /** The message, when a messaging app's hook has stored it before. */
  received: ReceivedMessage | undefined
  /** A model detects the wish for a person and answers it. */
  hasModel: boolean
}

/** A stored visitor message with a credit hold, waiting for its answer. */
export interface ActiveTurn extends ReceivedMessage {
  caller: Caller
  client: string | undefined
  tenant: TenantRow
  key: RequestKey | undefined
  hold: TurnHold
  /** The page from which the message was sent. */
  pageUrl: string | undefined
}

/** A turn that waits for its answer, or one that ended without the bot. */
export type OpenedTurn = ActiveTurn | { turn: Turn }

/** Where a message goes: it is stored already, or into its locked session, or a new one begins. */
type Place = { received: ReceivedMessage } | { session: SessionRow | undefined }

/** A message that was received and needs a hold, or whose turn has ended. */
type Received =
  | { received: ReceivedMessage; request: TurnHoldRequest | AppError }
  | { turn: Turn }
  | AppError

/**
 * Opens turns of a workspace in one commit: sessions, messages, their events, and the holds. Returns the
 * refusal of a message that was not accepted, and of one that is stored and could not be paid for, whose
 * problem names its session. While an operator has the session the turn ends here: the bot is silent and
 * nothing is charged. Locks the sites' days, the balance, and then the sessions.
 */
export async function openTurns(
  tx: Transaction,
  workspaceId: string,
  openings: readonly TurnOpening[],
): Promise<(OpenedTurn | AppError)[]> {
  await serializeTransaction(tx.db, workspaceId)
  // Sent together: all that is locked and read costs one round trip.
  const [budget, ...places] = await allDone([
    lockBudget(tx, workspaceId, openings),
    ...openings.map((opening) => findPlace(tx, opening)),
  ])
  const seen = new Set<string>()
  const all: Received[] = []
  for (const [at, opening] of openings.entries()) {
    const place = places[at] ?? { session: undefined }
    all.push(
      place instanceof AppError ? place : await receive(tx, opening, { place, budget, seen }),
    )
  }
  return holdEach(tx, budget, openings, all)
}

/** Holds the credits of the turns, and returns them. */
async function holdEach(
  tx: Transaction,
  budget: TurnBudget,
  openings: readonly TurnOpening[],
  all: readonly Received[],
): Promise<(OpenedTurn | AppError)[]> {
  const requests = all.flatMap((one) =>
    'request' in one && !(one.request instanceof AppError) ? [one.request] : [],
  )
  const holds = (await holdTurns(tx, budget, requests)).values()
  const opened: (OpenedTurn | AppError)[] = []
  for (const [at, { caller, client, tenant, key, input }] of openings.entries()) {
    const one = all[at]
    if (!one || !('request' in one)) {
      if (one) opened.push(one)
      continue
    }
    const { received, request } = one
    const hold = request instanceof AppError ? request : holds.next().value
    if (hold instanceof AppError) {
      if (key) await releaseClaim(tx, key, refusedMessageRef(received.message))
      opened.push(refusedMessage(hold, received))
    } else if (hold) {
      opened.push({ caller, client, tenant, ...received, key, hold, pageUrl: input.page_url })
    }
  }
  return opened
}

/** Returns the refusal of a message that is stored: the problem names its session. */
function refusedMessage({ code, message, more, headers }: AppError, of: ReceivedMessage): AppError {
  return new AppError(code, message, { more: { ...more, session_id: of.session.id }, headers })
}

/**
 * Claims the request id, finds and locks the session, and reads ahead what the events' handlers need.
 * Returns the refusal of a caller without a right to the session, before anything else is written.
 */
async function findPlace(tx: Transaction, opening: TurnOpening): Promise<Place | AppError> {
  const { caller, tenant, key, received } = opening
  const sessionId = opening.input.session_id
  const { workspace_id: workspaceId, id: tenantId } = tenant
  const claiming = key ? refusalOf(claimRequest(tx, key)) : undefined
  if (received) {
    const claimed = await claiming
    return claimed instanceof AppError ? claimed : { received }
  }
  const place = { workspaceId, tenantId, sessionId }
  const [claimed, session] = await allDone([
    Promise.resolve(claiming),
    sessionId === undefined
      ? Promise.resolve(undefined)
      : findLockedSession(tx.db, { workspaceId, sessionId }),
    prefetch(tx, sessionId === undefined ? NEW_SESSION_EVENTS : MESSAGE_EVENTS, place),
    sessionId === undefined && caller.kind === 'visitor'
      ? readOperatorSessions(tx, workspaceId, tenantId, caller.id)
      : Promise.resolve([]),
  ])
  if (claimed instanceof AppError) return claimed
  const refused = claimed ? await findRefusedMessage(tx, caller, claimed) : undefined
  if (refused) return { received: refused }
  if (sessionId === undefined) return { session: undefined }
  const refusal = await refusalOf(assertOpen(tx, caller, { tenantId, sessionId, session }))
  if (!(refusal instanceof AppError)) return { session }
  if (key) await releaseClaim(tx, key, '')
  return refusal
}

const MESSAGE_EVENTS = ['message.received'] as const
const NEW_SESSION_EVENTS = ['session.started', ...MESSAGE_EVENTS] as const

/**
 * Throws 404 for a session that does not exist or belongs to another tenant, 403 for another
 * workspace's, and 409 for a closed one.
 */
async function assertOpen(
  tx: Transaction,
  caller: Caller,
  {
    tenantId,
    sessionId,
    session,
  }: { tenantId: string; sessionId: string; session: SessionRow | undefined },
): Promise<void> {
  if (session) assertMayUse(caller, session)
  const found = session ?? (await openSession(tx, caller, sessionId))
  if (found.tenant_id !== tenantId) {
    throw new AppError('not_found', 'This session does not exist at this tenant.')
  }
  if (found.state === 'closed') {
    throw new AppError(
      'conflict',
      'This conversation is closed. Leave session_id out for a new one.',
    )
  }
}

/** Returns the refusal that a promise rejects with. */
async function refusalOf<Result>(promise: Promise<Result>): Promise<Result | AppError> {
  try {
    return await promise
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/** Stores a message, and ends its turn where the bot is silent. */
async function receive(
  tx: Transaction,
  opening: TurnOpening,
  { place, budget, seen }: { place: Place; budget: TurnBudget; seen: Set<string> },
): Promise<Received> {
  const { tenant, key, max, hasModel } = opening
  const received =
    'received' in place ? place.received : await store(tx, opening, place.session, seen)
  const { session, message } = received
  const wantsHuman =
    isHandoffReply(message.content) ||
    (!hasModel &&
      (matchesHandoffIntent(message.content) ||
        (await acceptsOffer(tx.db, session, message, 'person'))))
  const silent = await turnWithoutBot(tx, tenant, { session, message, wantsHuman })
  if (!silent) {
    return { received, request: await requestHold(tx, opening, budget, { message, max }) }
  }
  if (key) await storeResponse(tx, key, JSON.stringify(silent))
  return { turn: silent }
}

/** Stores a message in a new session, or in a locked one, which it counts. */
async function store(
  tx: Transaction,
  { caller, tenant, input }: TurnOpening,
  session: SessionRow | undefined,
  seen: Set<string>,
): Promise<ReceivedMessage> {
  const text = input.message
  const now = tx.now()
  if (!session) {
    const started = await startSession(tx, tenant, {
      caller,
      locale: input.locale,
      pageUrl: input.page_url,
      hasMessage: true,
    })
    const counted = afterVisitorMessage(started, now)
    return receiveCounted(tx, tenant, counted, { text, isNewSession: true })
  }
  // Another message of this transaction has changed the row since it was read.
  if (seen.has(session.id)) return receiveMessage(tx, tenant, session, text)
  seen.add(session.id)
  const counted = afterVisitorMessage(session, now)
  await saveVisitorMessage(tx.db, counted)
  return receiveCounted(tx, tenant, counted, { text })
}
