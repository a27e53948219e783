import type { Context } from '../../context.ts'
import type { TenantRow } from '../../tenants/tenants.ts'
import type { MessageRow, SessionRow } from '../session/store.ts'

declare module '../../context.ts' {
  interface Services {
    readonly openDialog: OpenDialog
  }
}

/** A visitor's message, before anything has answered it. */
export interface DialogTurn {
  tenant: TenantRow
  session: SessionRow
  message: MessageRow
  /** The limit key of the visitor's device; undefined for members and keys. */
  client: string | undefined
  hasModel: boolean
}

/** What is said without an answerer. */
export interface DialogReply {
  content: string
  /** What the visitor may answer with one press. */
  quickReplies: readonly string[]
  form?: 'lead' | undefined
}

/** A turn on a site that has dialogs. */
export interface TurnDialog {
  /** Answers a message that belongs to a dialog, or begins one; `undefined` for any other. */
  answer(): Promise<DialogReply | undefined>
  /** Returns the question that is still open, which follows the answer of an answerer. */
  openQuestion(): Promise<DialogReply | undefined>
}

/** Opens a turn's dialog, which goes before the answerer; `undefined` on a site without dialogs. */
export type OpenDialog = (ctx: Context, turn: DialogTurn) => Promise<TurnDialog | undefined>
