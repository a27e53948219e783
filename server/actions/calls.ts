import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type Context, type Transaction, transaction } from '../context.ts'
import { sanitizePreview } from '../delivery/http/attempt.ts'
import { isoTime } from '../http/pagination.ts'
import { DAY_MS, MINUTE_MS } from '../lib/durations.ts'
import { newId } from '../lib/ids.ts'
import { createStemmer } from '../lib/text/stemmer.ts'
import { InputSchemas } from '../prompts/inputs.ts'
import { readFields } from './answer-text.ts'
import type { LoadedAction } from './definition.ts'
import { ActionClient, type ActionReply } from './http-client.ts'
import { ActionAttempt, ActionCall, type ActionInputs } from './schema.ts'
import { MASK, openHeaders, signedRequest } from './signed-request.ts'
import {
  type CallRow,
  deleteOldCalls,
  deleteOldDialogs,
  endCall,
  endLostCalls,
  findCallOfMessage,
  insertCall,
} from './store.calls.ts'

declare module '../context.ts' {
  interface Services {
    readonly actionCalls: ActionCalls
  }
}

const CALL_RETENTION_MS = 30 * DAY_MS
/** Longer than both attempts of a call. */
const LOST_AFTER_MS = 2 * MINUTE_MS
const MAX_ATTEMPTS_OF_GET = 2
/** Words of triggers and of messages whose stems are remembered. */
const MAX_STEMS = 5_000
/** Shorter values are no secrets, and stand in any text. */
const MIN_SECRET_LENGTH = 8
const PREVIEW_BYTES = 1_024

const Attempts = z.array(ActionAttempt)
const Inputs = ActionCall.shape.inputs
const Shown = ActionCall.shape.shown

/** State that calls of actions share: connections, and compiled schemas of inputs. */
export class ActionCalls {
  readonly schemas = new InputSchemas()
  readonly stemmer = createStemmer(MAX_STEMS)
  readonly client: ActionClient
  readonly userAgent: string

  constructor(ctx: Pick<Context, 'config' | 'log'>, version: string) {
    this.client = new ActionClient(ctx)
    this.userAgent = `Sohbet-Actions/${version}`
  }

  close(): Promise<void> {
    return this.client.close()
  }
}

/** The cause of a call: a visitor's message, or a test of the owner. */
export interface CallCause {
  sessionId: string | null
  messageId: string | null
  /** The `sub` of a verified visitor. */
  visitor: string | null
}

/** Returns the row of a call that has not begun. */
export function newCall(
  ctx: Context | Transaction,
  { row }: LoadedAction,
  inputs: ActionInputs,
  { sessionId, messageId }: CallCause,
): CallRow {
  const text = JSON.stringify(
    Object.fromEntries(Object.entries(inputs).toSorted(([one], [two]) => (one < two ? -1 : 1))),
  )
  return {
    id: newId('acl'),
    workspace_id: row.workspace_id,
    tenant_id: row.tenant_id,
    action_id: row.id,
    session_id: sessionId,
    message_id: messageId,
    digest: createHash('sha256').update(text).digest('base64url'),
    state: 'running',
    is_test: sessionId === null ? 1 : 0,
    inputs: text,
    attempts: '[]',
    error: null,
    shown: null,
    created_at: ctx.now(),
    ended_at: null,
  }
}

/**
 * Calls an owner's service for a message, once: the call is claimed before it is sent, and a message
 * that has caused it before gets that call's outcome. Never throws for a failure of the service.
 */
export async function callAction(
  ctx: Context,
  action: LoadedAction,
  inputs: ActionInputs,
  cause: CallCause,
): Promise<CallRow> {
  const row = newCall(ctx, action, inputs, cause)
  const isClaimed = await transaction(ctx, (tx) => insertCall(tx.db, row))
  if (isClaimed) return performCall(ctx, action, { row, inputs, visitor: cause.visitor })
  return (await findCallOfMessage(ctx.db, row)) ?? row
}

/** Sends a claimed call, a GET at most twice and anything else once, and stores how it ended. */
export async function performCall(
  ctx: Context,
  action: LoadedAction,
  { row, inputs, visitor }: { row: CallRow; inputs: ActionInputs; visitor: string | null },
): Promise<CallRow> {
  const { client, userAgent } = ctx.actionCalls
  const { method } = action.definition
  const attempts: ActionAttempt[] = []
  const secrets = Object.values(openHeaders(ctx, action.row))
  const max = method === 'GET' ? MAX_ATTEMPTS_OF_GET : 1
  let ended: Pick<CallRow, 'state' | 'error' | 'shown'> = {
    state: 'failed',
    error: 'inputs_not_allowed',
    shown: null,
  }
  while (attempts.length < max) {
    const request = signedRequest(ctx, action, { id: row.id, inputs, visitor }, userAgent)
    if (!request) break
    const at = isoTime(ctx.now())
    const sent = await client.send(request)
    const reply = { ...sent, text: withoutSecrets(sent.text, secrets) }
    attempts.push({
      number: attempts.length + 1,
      at,
      status: reply.status,
      error: reply.error,
      latency_ms: reply.latencyMs,
      answer: reply.status === null ? null : previewOf(reply.text),
    })
    ended = judgeReply(action, reply)
    if (!isRetried(reply)) break
  }
  const values = { ...ended, attempts: JSON.stringify(attempts), ended_at: ctx.now() }
  await transaction(ctx, (tx) => endCall(tx.db, row, values))
  return { ...row, ...values }
}

/** Returns a response without the owner's secrets, which a service may repeat. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  const parts = secrets.flatMap((secret) => [secret, ...secret.split(' ')])
  return parts
    .filter(({ length }) => length >= MIN_SECRET_LENGTH)
    .reduce((open, secret) => open.replaceAll(secret, MASK), text)
}

/** Returns a response's beginning, safe to show. */
function previewOf(text: string): string {
  return sanitizePreview(Buffer.from(text).subarray(0, PREVIEW_BYTES))
}

function isRetried({ status, error }: ActionReply): boolean {
  if (status !== null) return status >= 500
  return error === 'timeout' || error === 'connection_failed'
}

/** Decides what a response means. After a change was sent, only a clear response is one. */
function judgeReply(
  { definition }: LoadedAction,
  reply: ActionReply,
): Pick<CallRow, 'state' | 'error' | 'shown'> {
  const { status, error, isSent, text } = reply
  const isChange = definition.method !== 'GET'
  const unclear = isChange && isSent ? 'unknown' : 'failed'
  const end = (state: CallRow['state'], reason: string) => ({ state, error: reason, shown: null })
  if (status === null) return end(unclear, error ?? 'connection_failed')
  if (status >= 300 && status < 400) return end(unclear, 'redirect')
  if (status === 404) return end('not_found', 'status 404')
  if (status >= 500) return end(unclear, `status ${status}`)
  if (status >= 400) return end(isChange ? 'refused' : 'failed', `status ${status}`)
  const hasFields = Object.keys(definition.answer.fields).length > 0
  // A change that the service accepted was made, whatever its response holds.
  const odd = isChange ? 'done' : 'failed'
  if (error !== null) return hasFields ? end(odd, error) : { ...end('done', error), shown: '{}' }
  if (!hasFields) return { state: 'done', error: null, shown: '{}' }
  const response = parseJson(text)
  if (response === undefined) return end(odd, 'not_json')
  const fields = readFields(definition, response)
  if ('missing' in fields) return end(odd, `field_missing: ${fields.missing}`)
  return { state: 'done', error: null, shown: JSON.stringify(fields.shown) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the fields of a call as they are shown; `undefined` without a usable response. */
export function shownBy({ shown }: CallRow): Record<string, string> | undefined {
  return shown === null ? undefined : (Shown.parse(JSON.parse(shown)) ?? undefined)
}

export function serializeCall(row: CallRow): ActionCall {
  return {
    call_id: row.id,
    action_id: row.action_id,
    session_id: row.session_id,
    message_id: row.message_id,
    is_test: row.is_test === 1,
    state: row.state,
    inputs: Inputs.parse(JSON.parse(row.inputs)),
    error: row.error,
    shown: shownBy(row) ?? null,
    attempts: Attempts.parse(JSON.parse(row.attempts)),
    created_at: isoTime(row.created_at),
    ended_at: row.ended_at === null ? null : isoTime(row.ended_at),
  }
}

/** Ends calls whose process died, and deletes old calls and dialogs. Idempotent. */
export async function expireActionCalls(ctx: Context): Promise<void> {
  const now = ctx.now()
  await endLostCalls(ctx.db, now - LOST_AFTER_MS, now)
  await deleteOldCalls(ctx.db, now - CALL_RETENTION_MS)
  await deleteOldDialogs(ctx.db, now - DAY_MS)
}
