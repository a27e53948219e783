import { type Transaction, allDone } from './context.ts'
import type { DataOf, EventName } from './events/registry.ts'

declare module './context.ts' {
  interface Services {
    readonly reactions: Reactions
  }
}

/** An event with the fields that rules filter on. */
export interface EventEnvelope<Name extends EventName = EventName> {
  workspaceId: string
  tenantId?: string
  sector?: string
  source?: string
  /** The session of the event, where the data has no `session_id`: both are erased together. */
  sessionId?: string
  /** The session began in this transaction: handlers have stored nothing of it before. */
  isNewSession?: boolean
  data: DataOf<Name>
}

/** What is known of an event before it happens; no session for one that is about to begin. */
export interface EventPlace {
  workspaceId: string
  tenantId: string | undefined
  sessionId: string | undefined
}

/** Sends the reads of a handler ahead, by a `sharedRead`. */
type Prefetch = (tx: Transaction, event: EventName, place: EventPlace) => Promise<unknown>

/** A handler of an event; runs in the transaction that emitted the event. */
interface EventHandler<Name extends EventName> {
  (tx: Transaction, event: Name, envelope: EventEnvelope<Name>): Promise<void>
  prefetch?: Prefetch
}

/** The handlers of an event, in their order. */
export type EventHandlers<Name extends EventName> = readonly EventHandler<Name>[]

export type Reactions = { readonly [Name in EventName]: EventHandlers<Name> }

/**
 * Runs the handlers of an event one after the other, inside the transaction that caused the event:
 * either all of it is committed, or none. Throws what a handler throws.
 */
export async function emit<Name extends EventName>(
  tx: Transaction,
  event: Name,
  envelope: EventEnvelope<Name>,
): Promise<void> {
  const handlers: EventHandlers<Name> = tx.reactions[event]
  for (const handle of handlers) await handle(tx, event, envelope)
}

/** Reads ahead what the handlers of events will read, in one round trip. Throws what a read throws. */
export async function prefetch(
  tx: Transaction,
  events: readonly EventName[],
  place: EventPlace,
): Promise<void> {
  await allDone(
    events.flatMap((event) => {
      const handlers: readonly { prefetch?: Prefetch }[] = tx.reactions[event]
      return handlers.map(async (handler) => handler.prefetch?.(tx, event, place))
    }),
  )
}
