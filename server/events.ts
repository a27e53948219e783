import type { Transaction } from './context.ts'
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
  data: DataOf<Name>
}

/** The handlers of an event; each runs in the transaction that emitted the event. */
export type EventHandlers<Name extends EventName> = readonly ((
  tx: Transaction,
  event: Name,
  envelope: EventEnvelope<Name>,
) => Promise<void>)[]

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
