import { type Context, type Transaction, allDone } from '../../context.ts'
import { type Hold, type HoldRequest, holdOn } from '../../credits/ledger.ts'
import { lockCurrentBalance } from '../../credits/month-rollover.ts'
import type { BalanceRow } from '../../credits/store.ts'
import { emit } from '../../events.ts'
import { AppError } from '../../http/errors.ts'
import { isoTime } from '../../http/pagination.ts'
import { dayOf } from '../../lib/days.ts'
import { type Milli, toCredits, toMilli, turnCost } from '../../lib/money.ts'
import type { MessageRow } from '../session/store.ts'
import { serializeTransaction } from '../../storage/query-hints.ts'
import {
  type ClientCounter,
  addClientUsage,
  addDailyUsage,
  changeClientUsage,
  deleteEndedClientUsage,
  findClientUsage,
  lockDailyUsage,
} from './store.daily-usage.ts'
import { dailyCapOf } from '../../tenants/daily-cap.ts'
import type { TenantRow } from '../../tenants/tenants.ts'

const HOLD_RETRY_AFTER_SECONDS = 2

/** What one client address always has of a daily cap: many people may share an address. */
const MIN_CLIENT_SHARE = toMilli(20)

/** What a hold counts for under a daily cap. */
interface Counted {
  /** The site's day. */
  tenantDay?: TenantDay
  /** The counter of the client address whose share of the cap holds the amount. */
  clientCounter?: ClientCounter
}

/** The hold of a turn. */
export type TurnHold = Hold & Counted

/** A hold that a turn asks for. */
export type TurnHoldRequest = HoldRequest & Counted

/** Whose turn it is; `client`, the limit key of an address, is undefined for members and keys. */
interface Spender {
  tenant: TenantRow
  client: string | undefined
}

interface TenantDay {
  tenantId: string
  day: string
}

/** A site's credits of the day, in a transaction that has locked them. */
interface SiteDay {
  name: string
  until: number
  used: Milli
  held: Milli
}

/**
 * What turns of a workspace may spend: its balance, and the day of each site, locked; and by the names of
 * their counters what client addresses have used of their shares.
 */
export interface TurnBudget {
  balance: BalanceRow
  days: ReadonlyMap<string, SiteDay>
  clients: Map<string, Milli>
}

/**
 * Locks the days of sites, in their time zones, and then the balance of their workspace, and reads what
 * the clients have used: those who change it hold the balance. A site that has chosen to have no cap is
 * left out.
 */
export async function lockBudget(
  tx: Transaction,
  workspaceId: string,
  spenders: readonly Spender[],
): Promise<TurnBudget> {
  const sites = [...new Map(spenders.map(({ tenant }) => [tenant.id, tenant])).values()]
    .filter(({ has_own_cap, daily_credit_cap }) => has_own_cap === 0 || daily_credit_cap !== null)
    .toSorted(({ id: one }, { id: other }) => (one < other ? -1 : 1))
  const siteDays = new Map(sites.map(({ id, time_zone }) => [id, dayOf(tx.now(), time_zone)]))
  const counters = spenders.flatMap(({ tenant, client }) => {
    const day = siteDays.get(tenant.id)
    return day && client !== undefined ? [counterOf(tx, tenant, day, client).name] : []
  })
  const locking = [...siteDays].map(async ([tenantId, day]): Promise<[string, SiteDay]> => {
    const state = await lockDailyUsage(tx.db, { workspaceId, tenantId, day: day.name })
    return [tenantId, { ...day, ...state }]
  })
  // `locking` has been started, so the rows of the days are locked before these.
  const [balance, clients, ...days] = await allDone([
    lockCurrentBalance(tx, workspaceId),
    hasShares(tx)
      ? findClientUsage(tx.db, workspaceId, [...new Set(counters)])
      : Promise.resolve(new Map<string, Milli>()),
    ...locking,
  ])
  return { balance, days: new Map(days), clients }
}

function counterOf(
  { secrets }: Transaction,
  { id }: TenantRow,
  { name: day, until }: { name: string; until: number },
  client: string,
): ClientCounter {
  return { name: secrets.digest(`daily share ${id} ${day} ${client}`), endsAt: until }
}

function hasShares({ config }: Transaction): boolean {
  return config.dailySharePercent > 0
}

/** Returns what one client address may use of a daily cap. */
function shareOf(tx: Transaction, cap: Milli): Milli {
  if (!hasShares(tx)) return cap
  return Math.max(MIN_CLIENT_SHARE, Math.floor((cap * tx.config.dailySharePercent) / 100))
}

/**
 * Returns the hold that an answer needs: its maximum cost, up to the rest of the site's daily cap and of
 * the client's share of it, which it takes from the budget. Returns a 402 when the cap, or the share, is
 * used up, and emits `turn.capped`.
 */
export async function requestHold(
  tx: Transaction,
  { tenant, client }: Spender,
  budget: TurnBudget,
  { message, max }: { message: MessageRow; max: Milli },
): Promise<TurnHoldRequest | AppError> {
  const { workspace_id: workspaceId, id: tenantId } = tenant
  const cap = dailyCapOf(tenant, budget.balance.monthly_limit)
  const min = turnCost(0, 0)
  const about = { sessionId: message.session_id, min }
  const site = budget.days.get(tenantId)
  if (cap === null || !site) return { ...about, amount: max }
  const left = cap - site.used - site.held
  const share = shareOf(tx, cap)
  const counter =
    client === undefined || share >= cap ? undefined : counterOf(tx, tenant, site, client)
  const spent = (counter && budget.clients.get(counter.name)) ?? 0
  const own = counter ? share - spent : left
  if (Math.min(left, own) < min) {
    await emit(tx, 'turn.capped', {
      workspaceId,
      tenantId,
      data: { session_id: message.session_id, message_id: message.id },
    })
    return left < min ? cappedError(cap, site, min) : usedShareError(site)
  }
  const amount = Math.min(max, left, own)
  site.held += amount
  const request = { ...about, amount, tenantDay: { tenantId, day: site.name } }
  if (!counter) return request
  budget.clients.set(counter.name, spent + amount)
  return { ...request, clientCounter: counter }
}

function cappedError(cap: Milli, { used, until }: SiteDay, min: Milli): AppError {
  const more = {
    required: toCredits(min),
    remaining: toCredits(Math.max(0, cap - used)),
    reset_at: isoTime(until),
    daily_credit_cap: toCredits(cap),
  }
  if (cap - used >= min) {
    const headers = { 'retry-after': String(HOLD_RETRY_AFTER_SECONDS) }
    const text = 'Other answers hold the credits that this site has left today. Try again.'
    return new AppError('credits_held', text, { more, headers })
  }
  return new AppError(
    'credits_exhausted',
    'This site has used up its credits for today. Leave your contact details, or come back later.',
    { more },
  )
}

function usedShareError({ until }: SiteDay): AppError {
  return new AppError(
    'credits_exhausted',
    'This address has used its share of the credits that this site has for a day. Leave your contact details, or come back later.',
    { more: { reset_at: isoTime(until) } },
  )
}

/**
 * Holds what turns have asked for, on the balance and in the shares of the clients; returns the hold or
 * the refusal of each.
 */
export async function holdTurns(
  tx: Transaction,
  { balance }: TurnBudget,
  requests: readonly TurnHoldRequest[],
): Promise<(TurnHold | AppError)[]> {
  const holds = await holdOn(tx, balance, requests)
  const outcomes = holds.map((hold, at) => {
    const { tenantDay, clientCounter } = requests[at] ?? {}
    if (hold instanceof AppError) return hold
    return { ...hold, ...(tenantDay && { tenantDay }), ...(clientCounter && { clientCounter }) }
  })
  await addClientUsage(
    tx.db,
    outcomes.flatMap((one) =>
      'clientCounter' in one && one.clientCounter
        ? [{ workspaceId: one.workspaceId, counter: one.clientCounter, amount: one.amount }]
        : [],
    ),
  )
  return outcomes
}

/**
 * Reserves the maximum cost of a single answer for a member. Locks the site's day and the balance. Throws
 * 402 like `holdCredits`, and, with `daily_credit_cap`, when the site's cap is used up before the credits.
 */
export async function reserveTurnCredits(
  tx: Transaction,
  tenant: TenantRow,
  answer: { message: MessageRow; max: Milli },
): Promise<TurnHold> {
  await serializeTransaction(tx.db, tenant.workspace_id)
  const member = { tenant, client: undefined }
  const budget = await lockBudget(tx, tenant.workspace_id, [member])
  const request = await requestHold(tx, member, budget, answer)
  if (request instanceof AppError) throw request
  const [hold] = await holdTurns(tx, budget, [request])
  if (!hold || hold instanceof AppError) throw hold
  return hold
}

/**
 * Adds the costs of answers to the days on which their turns began. Runs before the holds are settled.
 */
export async function recordDailyUsage(
  tx: Transaction,
  answers: readonly { hold: TurnHold; cost: Milli }[],
): Promise<void> {
  await addDailyUsage(
    tx.db,
    answers.flatMap(({ hold: { workspaceId, tenantDay }, cost }) =>
      tenantDay ? [{ workspaceId, ...tenantDay, cost }] : [],
    ),
  )
}

/**
 * Reduces the shares of the client addresses from the held maximum to the costs. Runs after the
 * holds are settled: who changes a share has locked the balance.
 */
export async function settleClientShares(
  tx: Transaction,
  answers: readonly { hold: TurnHold; cost: Milli }[],
): Promise<void> {
  await changeClientUsage(
    tx.db,
    answers.flatMap(({ hold: { workspaceId, clientCounter: counter, amount }, cost }) =>
      counter && cost !== amount ? [{ workspaceId, counter, amount: cost - amount }] : [],
    ),
  )
}

/** Deletes the counts of client addresses whose day has ended. Idempotent. */
export async function expireClientUsage(ctx: Context): Promise<void> {
  await deleteEndedClientUsage(ctx.db, ctx.now())
}
