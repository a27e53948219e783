import { setImmediate } from 'node:timers/promises'
import type { Context, Transaction } from '../../context.ts'
import { HOLD_LEASE_MS, type Hold, holdMany } from '../../credits/ledger.ts'
import { AppError } from '../../http/errors.ts'
import { monthOf } from '../../lib/months.ts'
import type { UserCaller } from '../../platform/auth/authenticator.ts'
import { type RequestKey, claimRequest, releaseClaim } from '../../platform/idempotency.ts'
import { dialectOf } from '../../storage/dialect.ts'
import type { ResolvedPrompt } from '../prompt-resolver.ts'
import { findVersions } from '../store.ts'
import { type RunStart, insertRuns, openRunsInstantly } from './store.ts'

/** The refusal of a run whose remembered version is not the current one. */
export class StaleVersion extends Error {}

/** A run to open: its idempotency claim, its hold and its row. */
export interface Opening {
  runId: string
  caller: UserCaller
  prompt: ResolvedPrompt
  /** The inputs as stored: JSON, null for inputs that are too large. */
  inputs: string | null
  /** The version was remembered: the run is refused unless it is still the prompt's. */
  isRemembered: boolean
  price: { max: number; min: number }
  locale: string
  key: RequestKey | undefined
  requestId: string
  /** Called when the hold is granted, so that the model is called while the hold is written. */
  onHoldGranted: (hold: Hold) => void
}

/**
 * Opens runs on Postgres in one statement, which holds the lock of the balance for no round trip;
 * `undefined` where the credits do not cover the maximum of all, and where requests have to be claimed.
 */
export async function openInOneStatement(
  ctx: Context,
  workspaceId: string,
  openings: readonly Opening[],
): Promise<Hold[] | undefined> {
  if (dialectOf(ctx.db) === 'sqlite' || openings.some(({ key }) => key)) return undefined
  const now = ctx.now()
  const runs = openings.map((opening) => {
    const hold = { id: opening.runId, workspaceId, amount: opening.price.max }
    return { hold, start: startOf(ctx, hold, opening), isRemembered: opening.isRemembered }
  })
  const at = { now, leaseUntil: now + HOLD_LEASE_MS, month: monthOf(now) }
  return (await openRunsInstantly(ctx.db, runs, at)) ? runs.map(({ hold }) => hold) : undefined
}

/** Opens runs in one commit; returns each run's hold or refusal. Locks the balance. */
export async function openRuns(
  tx: Transaction,
  workspaceId: string,
  openings: readonly Opening[],
): Promise<(Hold | Error)[]> {
  const remembered = openings.flatMap(({ prompt, isRemembered }) =>
    isRemembered ? [prompt.promptId] : [],
  )
  const versions = await findVersions(tx.db, workspaceId, [...new Set(remembered)])
  const claims: (Error | undefined)[] = []
  for (const { key, prompt, isRemembered } of openings) {
    const isStale = isRemembered && versions.get(prompt.promptId) !== prompt.version
    claims.push(isStale ? new StaleVersion() : key && (await claim(tx, key)))
  }
  const claimed = openings.filter((_, at) => claims[at] === undefined)
  const holds = await holdMany(
    tx,
    workspaceId,
    claimed.map(({ runId, price }) => ({ runId, amount: price.max, min: price.min })),
    (outcomes) => grant(tx, claimed, outcomes),
  )
  const starts: RunStart[] = []
  for (const [at, { key, ...opening }] of claimed.entries()) {
    const hold = holds[at]
    if (hold && !(hold instanceof AppError)) starts.push(startOf(tx, hold, opening))
    else if (key) await releaseClaim(tx, key, '')
  }
  await insertRuns(tx.db, starts)
  let next = 0
  return claims.flatMap((refusal) => refusal ?? holds[next++] ?? [])
}

/**
 * Starts runs whose hold is granted, so that the model is called before the hold is written. On
 * SQLite the hold is written before a response can arrive: the request leaves after one turn of the
 * event loop, and this function waits for that turn. On Postgres, other transactions could still see
 * the credits as free, so that runs start after the commit.
 */
async function grant(
  { db }: Transaction,
  claimed: readonly Opening[],
  holds: readonly (Hold | AppError)[],
): Promise<void> {
  if (dialectOf(db) !== 'sqlite') return
  for (const [at, { onHoldGranted }] of claimed.entries()) {
    const hold = holds[at]
    if (hold && !(hold instanceof AppError)) onHoldGranted(hold)
  }
  await setImmediate()
}

function startOf(
  { now }: Pick<Context, 'now'>,
  hold: Hold,
  { caller, prompt, inputs, requestId, locale }: Omit<Opening, 'key'>,
): RunStart {
  return {
    id: hold.id,
    workspace_id: hold.workspaceId,
    prompt_id: prompt.promptId,
    prompt_version: prompt.version,
    user_id: caller.id,
    key_id: caller.keyId ?? null,
    request_id: requestId,
    locale,
    created_at: now(),
    inputs,
  }
}

/** Claims the request's idempotency key; returns the refusal of a claim that is taken. */
async function claim(tx: Transaction, key: RequestKey): Promise<AppError | undefined> {
  try {
    await claimRequest(tx, key)
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
