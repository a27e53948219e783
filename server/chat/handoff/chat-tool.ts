import type { Context } from '../../context.ts'
import { fold, splitWords } from '../../lib/text/fold.ts'
import { type MessageRow, type SessionRow, listMessages } from '../session/store.ts'
import type { TenantRow } from '../../tenants/tenants.ts'

declare module '../../context.ts' {
  interface Services {
    /** The tools that a model may call while it answers a visitor. */
    readonly tools: readonly ChatTool[]
  }
}

const MIN_DIGITS = 7

/** The conversation that a tool is called in. It works there and nowhere else. */
export interface ToolContext {
  tenant: TenantRow
  session: SessionRow
  /** What the visitor wrote last. */
  message: MessageRow
  /** All that the visitor has written, the last at the end. */
  said: readonly string[]
}

/** What a tool did. */
export interface ToolResult {
  /** For the model, in English. */
  told: string
  /** What the page shows below the answer. */
  form?: 'lead' | 'appointment'
}

/**
 * Something that a model may ask for in a conversation. It can do no more than the visitor could by
 * hand: what it works on comes from `place`, and what is given to it is checked like a form, and
 * against what the visitor really wrote, because the model may have it from a document.
 */
export interface ChatTool {
  name: string
  description: string
  /** JSON Schema of the input. */
  schema: Record<string, unknown>
  isOffered(place: { tenant: TenantRow; session: SessionRow }): boolean
  /** Throws `AppError` for what cannot be done; the model is told its sentence. */
  run(ctx: Context, place: ToolContext, input: unknown): Promise<ToolResult>
}

/** Whether the visitor has written this value, however they spelt it. */
export function visitorWrote({ said }: ToolContext, value: string): boolean {
  const digits = value.replaceAll(/\D/g, '')
  if (digits.length >= MIN_DIGITS && !/\p{L}/u.test(value)) {
    const local = digits.slice(-MIN_DIGITS)
    return said.some((text) => text.replaceAll(/\D/g, '').includes(local))
  }
  if (value.includes('@')) {
    const address = value.trim().toLowerCase()
    return said.some((text) => text.toLowerCase().includes(address))
  }
  const wanted = splitWords(value).map(fold)
  const written = new Set(said.flatMap((text) => splitWords(text).map(fold)))
  return wanted.length > 0 && wanted.every((word) => written.has(word))
}

/** What the visitor read last before they wrote a message; empty at the beginning. */
export async function previousVisitorText(ctx: Context, message: MessageRow): Promise<string> {
  const place = { workspaceId: message.workspace_id, sessionId: message.session_id }
  const rows = await listMessages(ctx.db, place, { limit: 1, after: message.sequence - 2 })
  const [previous] = rows
  return previous && previous.sequence < message.sequence ? previous.content : ''
}
