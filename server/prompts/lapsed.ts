import type { Transaction } from '../context.ts'
import type { DataOf } from '../events.ts'
import { noteFailure } from './run.ts'

const DIED = {
  code: 'internal',
  detail: 'The service stopped in the middle of the run. Nothing was charged.',
}

/** Marks the run of a lapsed hold as failed and announces it; chat turns have no run. */
export async function failLapsedRun(
  tx: Transaction,
  _event: 'hold.lapsed',
  { workspaceId, data }: { workspaceId: string; data: DataOf<'hold.lapsed'> },
): Promise<void> {
  await noteFailure(tx, { workspaceId, id: data.run_id, ...DIED })
}
