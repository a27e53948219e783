import type { Context } from '../../context.ts'
import { type MessageRow, findSummary, listMessages, saveSummary } from '../session/store.ts'

/** Number of recent messages in full; the summary holds the earlier ones. */
const RECENT = 8
/** Number of messages between two updates of the summary. */
const BATCH = 4
const MAX_CONTEXT_MESSAGE_LENGTH = 800
const MAX_SUMMARY_LENGTH = 1_600

export interface ConversationContext {
  /** One line per earlier message, oldest first. */
  summary: string
  recent: { who: string; text: string }[]
}

/**
 * Returns the context of a message: the recent messages, and the rolling summary of the earlier
 * ones.
 */
export async function loadConversationContext(
  ctx: Context,
  message: MessageRow,
): Promise<ConversationContext> {
  const place = { workspaceId: message.workspace_id, sessionId: message.session_id }
  const last = message.sequence - 1
  if (last <= 0) return { summary: '', recent: [] }
  const kept = last > RECENT ? await findSummary(ctx.db, place) : undefined
  const after = Math.max(kept?.through ?? 0, last - RECENT - 3 * BATCH)
  const rows = await listMessages(ctx.db, place, { after, limit: RECENT + 3 * BATCH })
  const said = rows.filter((row) => row.sequence <= last && row.role !== 'system')
  const recent = said.filter((row) => row.sequence > last - RECENT)
  const earlier = said.filter((row) => row.sequence <= last - RECENT)
  const summary = shortened([kept?.text ?? '', ...(await summarize(earlier))])
  const through = earlier.at(-1)?.sequence
  if (through !== undefined && earlier.length >= BATCH) {
    await saveSummary(ctx.db, { ...place, through, text: summary, now: ctx.now() })
  }
  return {
    summary,
    recent: recent.map(({ role, content }) => ({ who: role, text: clip(content) })),
  }
}

/** Returns one line per message. The stemmers load with the first long session. */
async function summarize(rows: readonly MessageRow[]): Promise<string[]> {
  if (rows.length === 0) return []
  const { summarise } = await import('../../models/embedded/summary.ts')
  return rows.map(({ role, content }) => `${role}: ${clip(summarise(content, 1)[0] ?? content)}`)
}

/** Shortens a summary: the first line stays, and older lines go first. */
function shortened(parts: readonly string[]): string {
  const [first = '', ...rest] = parts
    .filter((part) => part !== '')
    .flatMap((part) => part.split('\n'))
  while (rest.length > 0 && first.length + rest.join('\n').length > MAX_SUMMARY_LENGTH) rest.shift()
  return [first, ...rest].join('\n')
}

function clip(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length <= MAX_CONTEXT_MESSAGE_LENGTH
    ? line
    : `${line.slice(0, MAX_CONTEXT_MESSAGE_LENGTH).toWellFormed()}…`
}
