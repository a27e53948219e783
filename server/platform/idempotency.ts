import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Context, Transaction } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { chosenRequestId } from '../http/requests/request-heads.ts'
import { DAY_MS } from '../lib/durations.ts'
import type { Db } from '../storage/database.ts'
import { type Caller, subjectOf } from './auth/authenticator.ts'
import { prepared } from '../storage/prepared.ts'
import { pipelined } from '../storage/query-hints.ts'

/**
 * Lease of a claim: a request without a heartbeat for longer is presumed dead, and its id is free.
 */
const CLAIM_TTL_MS = 90_000
const RESPONSE_RETENTION_MS = DAY_MS

/** The identity of a request: caller, route and the id that the caller chose. */
export interface RequestKey {
  workspaceId: string
  /** The token's subject: a visitor, a user or a key. */
  caller: string
  route: string
  requestId: string
  /** Digest of the body; field order does not matter. */
  digest: string
}

/** Returns the idempotency key of a request; `undefined` when the request id was generated. */
export function requestKeyOf(
  request: FastifyRequest,
  caller: Caller,
  route: string,
  body: unknown,
): RequestKey | undefined {
  const requestId = chosenRequestId(request)
  if (requestId === undefined) return undefined
  return {
    workspaceId: caller.workspaceId,
    caller: subjectOf(caller),
    route,
    requestId,
    digest: hashRequest(body),
  }
}

/** Returns the digest of a body; field order, white space and undefined fields do not matter. */
function hashRequest(body: unknown): string {
  return createHash('sha256').update(canonicalJson(body)).digest('base64url')
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`)
  return `{${fields.join()}}`
}

interface StoredResponse {
  digest: string
  state: 'running' | 'done' | 'refused'
  answer: string | null
  created_at: number
  lease_until: number
}

/**
 * Returns the stored response of an earlier request. Throws 409 while the request runs, or when the
 * body differs.
 */
export async function findReplay(ctx: Context, key: RequestKey): Promise<string | undefined> {
  const stored = await findStored(ctx.db, key)
  return stored && replayOrRefuse(stored, key, ctx.now())
}

/**
 * Claims the request id in a transaction. Returns the data that `releaseClaim` saved for the same
 * body, if any. Throws 409 when another request holds the claim.
 */
export async function claimRequest(tx: Transaction, key: RequestKey): Promise<string | undefined> {
  const now = tx.now()
  await pipelined(prepared`
    delete from idempotency
    where caller = ${key.caller} and route = ${key.route} and request_id = ${key.requestId}
      and ((state = 'running' and lease_until <= ${now}) or created_at <= ${now - RESPONSE_RETENTION_MS})`).execute(
    tx.db,
  )
  const { rows } = await prepared`
    insert into idempotency (caller, route, request_id, workspace_id, digest, state, answer,
      created_at, lease_until)
    values (${key.caller}, ${key.route}, ${key.requestId}, ${key.workspaceId}, ${key.digest},
      'running', null, ${now}, ${now + CLAIM_TTL_MS})
    on conflict (caller, route, request_id) do nothing returning request_id`.execute(tx.db)
  if (rows.length > 0) return undefined
  const stored = await findStored(tx.db, key)
  if (stored?.state === 'refused' && (await reclaim(tx, key))) {
    return stored.digest === key.digest ? (stored.answer ?? undefined) : undefined
  }
  if (stored) replayOrRefuse(stored, key, now)
  throw inProgress()
}

/** Claims the id of a refused request; returns false when another request claimed the id first. */
async function reclaim(tx: Transaction, key: RequestKey): Promise<boolean> {
  const now = tx.now()
  const { rows } = await sql`
    update idempotency set state = 'running', digest = ${key.digest}, answer = null,
      created_at = ${now}, lease_until = ${now + CLAIM_TTL_MS}
    where caller = ${key.caller} and route = ${key.route} and request_id = ${key.requestId}
      and state = 'refused' returning request_id`.execute(tx.db)
  return rows.length > 0
}

/** Renews the lease of a claim; returns false when the claim is lost. */
export async function renewClaim(ctx: Context, key: RequestKey): Promise<boolean> {
  const { rows } = await sql`
    update idempotency set lease_until = ${ctx.now() + CLAIM_TTL_MS}
    where caller = ${key.caller} and route = ${key.route} and request_id = ${key.requestId}
      and state = 'running' returning request_id`.execute(ctx.db)
  return rows.length > 0
}

/** Stores the response in the transaction of the work that the response describes. */
export async function storeResponse(
  tx: Transaction,
  key: RequestKey,
  answer: string,
): Promise<void> {
  await pipelined(prepared`
    update idempotency set state = 'done', answer = ${answer}
    where caller = ${key.caller} and route = ${key.route} and request_id = ${key.requestId}`).execute(
    tx.db,
  )
}

/** Releases the claim of a refused or failed request, and saves `left` for a retry. */
export async function releaseClaim(tx: Transaction, key: RequestKey, left: string): Promise<void> {
  await pipelined(sql`
    update idempotency set state = 'refused', answer = ${left}
    where caller = ${key.caller} and route = ${key.route} and request_id = ${key.requestId}
      and state = 'running'`).execute(tx.db)
}

/** Deletes the claims of crashed requests at the start of a single process. Idempotent. */
export async function clearRunning(ctx: Context): Promise<void> {
  await ctx.db.deleteFrom('idempotency').where('state', '=', 'running').execute()
}

/** Deletes stored responses older than a day. Idempotent. */
export async function expireStoredResponses(ctx: Context): Promise<void> {
  await ctx.db
    .deleteFrom('idempotency')
    .where('created_at', '<=', ctx.now() - RESPONSE_RETENTION_MS)
    .execute()
}

async function findStored(db: Db, key: RequestKey): Promise<StoredResponse | undefined> {
  const { rows } = await prepared<StoredResponse>`
    select digest, state, answer, created_at, lease_until from idempotency
    where caller = ${key.caller} and route = ${key.route} and request_id = ${key.requestId}`.execute(
    db,
  )
  return rows[0]
}

function replayOrRefuse(stored: StoredResponse, key: RequestKey, now: number): string | undefined {
  const isLapsed = stored.state === 'running' && stored.lease_until <= now
  if (stored.created_at <= now - RESPONSE_RETENTION_MS || stored.state === 'refused' || isLapsed)
    return undefined
  if (stored.digest !== key.digest) {
    throw new AppError(
      'idempotency_conflict',
      'This X-Request-Id was used with another body. Send a new id.',
    )
  }
  if (stored.state === 'done') return stored.answer ?? undefined
  throw inProgress()
}

function inProgress(): AppError {
  return new AppError(
    'request_in_progress',
    'A request with this X-Request-Id is still running. Try again.',
    {
      headers: { 'retry-after': '1' },
    },
  )
}
