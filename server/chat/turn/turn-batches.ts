import { refuseLate } from '../../runtime/load-shedding.ts'
import { TransactionBatcher } from '../../runtime/transaction-batcher.ts'
import type { Turn } from '../schema.ts'
import { type ActiveTurn, type OpenedTurn, type TurnOpening, openTurns } from './opening.ts'
import { type TurnSettlement, abandonTurns, settleTurns } from './settlement.ts'

/** The event loop is busy with a batch of the embedded database until its end. */
const MAX_BATCH_SIZE = 64

declare module '../../context.ts' {
  interface Services {
    /** Turns of a workspace that begin or end together share a transaction. */
    readonly turns: TurnBatches
  }
}

/** The transactions of a process in which turns are opened, settled and abandoned. */
export class TurnBatches {
  readonly opening = new TransactionBatcher<TurnOpening, OpenedTurn>(openTurns, {
    maxBatchSize: MAX_BATCH_SIZE,
    refuse: refuseLate,
  })
  readonly settling = new TransactionBatcher<TurnSettlement, Turn>(settleTurns, {
    maxBatchSize: MAX_BATCH_SIZE,
  })
  readonly abandoning = new TransactionBatcher<ActiveTurn, boolean>(abandonTurns, {
    maxBatchSize: MAX_BATCH_SIZE,
  })
}
