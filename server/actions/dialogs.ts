import { type Context, transaction } from '../context.ts'
import type { DialogReply, DialogTurn, OpenDialog } from '../chat/turn/dialog.ts'
import { listMessages, type MessageRow } from '../chat/session/store.ts'
import { tryCountAction } from '../http/rate-limits.ts'
import { MINUTE_MS } from '../lib/durations.ts'
import { randomText } from '../lib/ids.ts'
import { detectLanguage, type Language, languageOfLocale } from '../lib/text/language.ts'
import { type CallCause, callAction, newCall, performCall } from './calls.ts'
import { loadAction, type LoadedAction } from './definition.ts'
import { findInput, readInput, readTone } from './given-inputs.ts'
import { actionStrings, askFor, askToConfirm, sayOutcome } from './sayings.ts'
import { ActionCall, type ActionInputs } from './schema.ts'
import { listActiveActions } from './store.ts'
import {
  type DialogRow,
  deleteDialog,
  findCall,
  findDialog,
  insertCall,
  saveDialog,
  takeConfirmation,
} from './store.calls.ts'
import { findTriggered, type TriggeredAction } from './triggers.ts'
import { findVerifiedVisitor } from './verified-visitor.ts'

const DIALOG_TTL_MS = 10 * MINUTE_MS
const DIALOG_ID_LENGTH = 22
/** Messages in a row that do not fit, after which a dialog ends. */
const MAX_MISSES = 3
const StoredInputs = ActionCall.shape.inputs

/** A dialog whose action is still as it was when the dialog began. */
interface CurrentDialog {
  row: DialogRow
  action: LoadedAction
  inputs: ActionInputs
}

/** Opens the dialog of a site's actions: inputs one at a time, a confirmation, the outcome. */
export const openActionDialog: OpenDialog = async (ctx, turn) => {
  const actions = await loadActive(ctx, turn)
  if (actions.length === 0) return undefined
  return {
    async answer() {
      const { message, hasModel } = turn
      const current = await findCurrent(ctx, turn, actions)
      const found = hasModel
        ? undefined
        : findTriggered(message.content, actions, ctx.actionCalls.stemmer)
      const reply = current && (await continueDialog(ctx, turn, current, found))
      return reply ?? (found && begin(ctx, turn, found.action, found.language))
    },

    async openQuestion() {
      const current = await findCurrent(ctx, turn, actions)
      return current && current.row.state !== 'running' ? questionOf(current) : undefined
    },
  }
}

async function loadActive(ctx: Context, { tenant }: DialogTurn): Promise<LoadedAction[]> {
  const place = { workspaceId: tenant.workspace_id, tenantId: tenant.id }
  const rows = await listActiveActions(ctx.db, place)
  return rows.flatMap((row) => loadAction(ctx, row) ?? [])
}

async function findCurrent(
  ctx: Context,
  { session }: DialogTurn,
  actions: readonly LoadedAction[],
): Promise<CurrentDialog | undefined> {
  const place = { workspaceId: session.workspace_id, sessionId: session.id }
  const row = await findDialog(ctx.db, place)
  if (!row) return undefined
  const action = actions.find((one) => one.row.id === row.action_id)
  const isSame = action?.row.updated_at === row.action_version
  const isOver = row.state !== 'running' && (!isSame || row.expires_at <= ctx.now())
  if (!action || isOver) {
    await deleteDialog(ctx.db, row)
    return undefined
  }
  return { row, action, inputs: StoredInputs.parse(JSON.parse(row.inputs)) }
}

function questionOf({ row, action, inputs }: CurrentDialog): DialogReply {
  const field = action.fields.find(({ name }) => name === row.asked)
  return field
    ? askFor(action, field, row.language, false)
    : askToConfirm(action, inputs, row.language)
}

async function continueDialog(
  ctx: Context,
  turn: DialogTurn,
  current: CurrentDialog,
  found: TriggeredAction | undefined,
): Promise<DialogReply | undefined> {
  const { row, action } = current
  if (row.state === 'running') return tellOutcome(ctx, turn, current)
  // The turn broke off after it had asked.
  if (row.message_id === turn.message.id) return questionOf(current)
  if (row.state === 'confirming') return continueConfirming(ctx, turn, current)
  const isOther = found !== undefined && found.action.row.id !== action.row.id
  return isOther ? undefined : continueCollecting(ctx, turn, current)
}

async function begin(
  ctx: Context,
  turn: DialogTurn,
  action: LoadedAction,
  triggered: Language,
): Promise<DialogReply> {
  const { content } = turn.message
  const language = detectLanguage(content) ?? triggered
  const inputs: ActionInputs = {}
  for (const field of action.fields) {
    const value = await findInput(ctx, action, field, content)
    if (value !== undefined) inputs[field.name] = value
  }
  return advance(ctx, turn, { action, inputs, language })
}

/** Asks for the next input, then for a confirmation, then calls. */
async function advance(
  ctx: Context,
  turn: DialogTurn,
  { action, inputs, language }: { action: LoadedAction; inputs: ActionInputs; language: Language },
): Promise<DialogReply> {
  const visitor = await findVerifiedVisitor(ctx, turn.session)
  if (action.definition.requires_verified_visitor && visitor === null) {
    await endDialog(ctx, turn)
    return { content: actionStrings(language).verify, quickReplies: [] }
  }
  const missing = action.fields.find(
    ({ name, isRequired }) => isRequired && inputs[name] === undefined,
  )
  if (missing) {
    await askNext(ctx, turn, { action, inputs, language, asked: missing.name })
    return askFor(action, missing, language, false)
  }
  if (action.definition.confirm) {
    await askNext(ctx, turn, { action, inputs, language, asked: null })
    return askToConfirm(action, inputs, language)
  }
  await endDialog(ctx, turn)
  if (!(await isWithinLimits(ctx, turn))) return busy(language)
  const call = await callAction(ctx, action, inputs, causeOf(turn, visitor))
  return sayOutcome(action, call, { tenant: turn.tenant, language })
}

/** Stores what a session is asked next, bound to these inputs, for ten minutes. */
export async function askNext(
  ctx: Context,
  { session, message }: Pick<DialogTurn, 'session' | 'message'>,
  next: {
    action: LoadedAction
    inputs: ActionInputs
    language: Language
    asked: string | null
    misses?: number
  },
): Promise<void> {
  const { action, inputs, language, asked, misses = 0 } = next
  await saveDialog(ctx.db, {
    session_id: session.id,
    id: randomText(DIALOG_ID_LENGTH),
    workspace_id: session.workspace_id,
    action_id: action.row.id,
    action_version: action.row.updated_at,
    message_id: message.id,
    state: asked === null ? 'confirming' : 'collecting',
    language,
    inputs: JSON.stringify(inputs),
    asked,
    misses,
    call_id: null,
    expires_at: ctx.now() + DIALOG_TTL_MS,
  })
}

async function endDialog(ctx: Context, { session }: DialogTurn): Promise<void> {
  const place = { workspaceId: session.workspace_id, sessionId: session.id }
  const row = await findDialog(ctx.db, place)
  if (row) await deleteDialog(ctx.db, row)
}

async function continueCollecting(
  ctx: Context,
  turn: DialogTurn,
  current: CurrentDialog,
): Promise<DialogReply | undefined> {
  const { row, action, inputs } = current
  const { language } = row
  const tone = readTone(turn.message.content, language)
  const field = action.fields.find(({ name }) => name === row.asked)
  if (tone.isCancelling || !field) return cancel(ctx, row)
  const value = await readInput(ctx, action, field, turn.message.content, tone)
  if (value !== undefined) {
    return advance(ctx, turn, { action, inputs: { ...inputs, [field.name]: value }, language })
  }
  const isKept = await countMiss(ctx, turn, current)
  if (!isKept || tone.isDigression) return undefined
  return askFor(action, field, language, true)
}

/** Takes a yes only where the question stands right above it; other messages count as misses. */
async function continueConfirming(
  ctx: Context,
  turn: DialogTurn,
  current: CurrentDialog,
): Promise<DialogReply | undefined> {
  const { row, action, inputs } = current
  const { language } = row
  const question = questionOf(current)
  const before = await findMessageBefore(ctx, turn.message)
  if (before?.role !== 'assistant' || !before.content.endsWith(question.content)) {
    await deleteDialog(ctx.db, row)
    return undefined
  }
  const { talk, isCancelling, isDigression } = readTone(turn.message.content, language)
  if (isCancelling || talk === 'no') return cancel(ctx, row)
  if (talk === 'yes') return confirm(ctx, turn, { row, action, inputs })
  const isKept = await countMiss(ctx, turn, current)
  return isKept && talk === 'ok' && isDigression ? question : undefined
}

async function confirm(
  ctx: Context,
  turn: DialogTurn,
  { row, action, inputs }: CurrentDialog,
): Promise<DialogReply> {
  const { language } = row
  const visitor = await findVerifiedVisitor(ctx, turn.session)
  if (action.definition.requires_verified_visitor && visitor === null) {
    await deleteDialog(ctx.db, row)
    return { content: actionStrings(language).verify, quickReplies: [] }
  }
  if (!(await isWithinLimits(ctx, turn))) return busy(language)
  const call = newCall(ctx, action, inputs, causeOf(turn, visitor))
  // From this commit on the call has been made, whatever becomes of this process.
  const isTaken = await transaction(ctx, async (tx) => {
    const now = tx.now()
    return (await takeConfirmation(tx.db, row, { callId: call.id, now })) && insertCall(tx.db, call)
  })
  const ended = isTaken ? await performCall(ctx, action, { row: call, inputs, visitor }) : call
  return sayOutcome(action, ended, { tenant: turn.tenant, language })
}

/** Says how a confirmed call ended whose answer never reached the conversation. */
async function tellOutcome(
  ctx: Context,
  turn: DialogTurn,
  { row, action }: CurrentDialog,
): Promise<DialogReply | undefined> {
  const call = await findCall(ctx.db, row.workspace_id, row.call_id ?? '')
  const before = await findMessageBefore(ctx, turn.message)
  const isTold = call?.message_id !== turn.message.id && before?.role !== 'visitor'
  if (!call || isTold) {
    await deleteDialog(ctx.db, row)
    return undefined
  }
  return sayOutcome(action, call, { tenant: turn.tenant, language: row.language })
}

async function cancel(ctx: Context, row: DialogRow): Promise<DialogReply> {
  await deleteDialog(ctx.db, row)
  return { content: actionStrings(row.language).cancelled, quickReplies: [] }
}

/** Counts a message that did not fit; returns false where the dialog ended by it. */
async function countMiss(ctx: Context, turn: DialogTurn, current: CurrentDialog): Promise<boolean> {
  const { row, action, inputs } = current
  const misses = row.misses + 1
  if (misses >= MAX_MISSES) {
    await deleteDialog(ctx.db, row)
    return false
  }
  const { language, asked } = row
  await askNext(ctx, turn, { action, inputs, language, asked, misses })
  return true
}

async function findMessageBefore(
  ctx: Context,
  { workspace_id, session_id, sequence }: MessageRow,
): Promise<MessageRow | undefined> {
  if (sequence < 2) return undefined
  const place = { workspaceId: workspace_id, sessionId: session_id }
  const [before] = await listMessages(ctx.db, place, { limit: 1, after: sequence - 2 })
  return before && before.sequence < sequence ? before : undefined
}

/** Counts a call against the limits of the visitor and of the site. */
export function isWithinLimits(
  ctx: Context,
  { tenant, session, client }: Pick<DialogTurn, 'tenant' | 'session' | 'client'>,
): Promise<boolean> {
  return tryCountAction(ctx, { tenantId: tenant.id, client: client ?? session.id })
}

function busy(language: Language): DialogReply {
  return { content: actionStrings(language).busy, quickReplies: [] }
}

/** Returns the cause of a call: the session, the message, and the visitor's verified id if any. */
export function causeOf(
  { session, message }: Pick<DialogTurn, 'session' | 'message'>,
  visitor: string | null,
): CallCause {
  return { sessionId: session.id, messageId: message.id, visitor }
}

/** The language of a conversation: the message's, else the panel's. */
export function spokenLanguage({
  session,
  message,
}: Pick<DialogTurn, 'session' | 'message'>): Language {
  return detectLanguage(message.content) ?? languageOfLocale(session.locale)
}
