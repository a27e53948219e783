import type { Context } from '../../context.ts'
import type { Hit } from '../../knowledge/search/hit.ts'
import { fold, splitWords } from '../../lib/text/fold.ts'
import { type MessageRow, type SessionRow, listMessages } from '../session/store.ts'
import type { TenantRow } from '../../tenants/tenants.ts'

declare module '../../context.ts' {
  interface Services {
    /** The tools that a model may call during a visitor's turn. */
    readonly tools: readonly ChatTool[]
    /** Further tools, which differ by site. */
    readonly toolSources: readonly ToolSource[]
  }
}

const MIN_DIGITS = 7

/** The turn in which a tool is called. A tool has access to nothing else. */
export interface ToolContext {
  tenant: TenantRow
  session: SessionRow
  /** The visitor's last message. */
  message: MessageRow
  /** The limit key of the visitor's device; undefined for members and keys. */
  client: string | undefined
  /** All messages of the visitor, oldest first. */
  transcript: readonly string[]
  /** The passages of the turn so far; what a search adds can be cited. */
  hits: Hit[]
}

/** Result of a tool call. */
export interface ToolResult {
  /** Sentence for the model, in English. */
  result: string
  /** The form that the widget shows below the answer. */
  form?: 'lead' | 'appointment'
}

/**
 * A function that the model may call in a session. A tool can do no more than the visitor could by
 * hand: its subject comes from `place`, and its input is validated like a form and against the
 * visitor's own messages, because the model may have taken it from a document.
 */
export interface ChatTool {
  name: string
  description: string
  /** JSON Schema of the input. */
  schema: Record<string, unknown>
  /** Whether a call changes nothing, so that the test console may offer the tool. */
  isReadOnly?: boolean
  isOffered(place: { tenant: TenantRow; session: SessionRow }): boolean
  /** Throws `AppError` for a refused call; its sentence goes to the model. */
  run(ctx: Context, place: ToolContext, input: unknown): Promise<ToolResult>
}

/** Returns the tools of a site. */
export type ToolSource = (
  ctx: Context,
  place: { tenant: TenantRow; session: SessionRow },
) => Promise<readonly ChatTool[]>

/** Returns whether the visitor's messages contain this value, in any spelling. */
export function visitorWrote({ transcript }: ToolContext, value: string): boolean {
  const digits = value.replaceAll(/\D/g, '')
  if (digits.length >= MIN_DIGITS && !/\p{L}/u.test(value)) {
    const local = digits.slice(-MIN_DIGITS)
    return transcript.some((text) => text.replaceAll(/\D/g, '').includes(local))
  }
  if (value.includes('@')) {
    const address = value.trim().toLowerCase()
    return transcript.some((text) => text.toLowerCase().includes(address))
  }
  const wanted = splitWords(value).map(fold)
  const written = new Set(transcript.flatMap((text) => splitWords(text).map(fold)))
  return wanted.length > 0 && wanted.every((word) => written.has(word))
}

/** Returns the message before a visitor's message; empty at the beginning of a session. */
export async function previousVisitorText(ctx: Context, message: MessageRow): Promise<string> {
  const place = { workspaceId: message.workspace_id, sessionId: message.session_id }
  const rows = await listMessages(ctx.db, place, { limit: 1, after: message.sequence - 2 })
  const [previous] = rows
  return previous && previous.sequence < message.sequence ? previous.content : ''
}
