/** The problem document that the service answers with (RFC 9457). */
export interface Problem {
  code: string
  detail: string
  status: number
  title?: string
  request_id?: string
  /** Invalid fields: a JSON Pointer into the body, and the reason. */
  errors?: { path: string; message: string }[]
  [member: string]: unknown
}

/**
 * Every failure. `code` is the service's stable word, such as `credits_exhausted`, or one of the client's:
 * `network`, `timeout`, `aborted`, `stream_interrupted`, `unexpected_answer`, `invalid_signature`.
 */
export class SohbetError extends Error {
  override readonly name = 'SohbetError'
  readonly code: string
  /** The HTTP status; 0 where there was no answer. */
  readonly status: number
  /** The id under which the service logged the call, which all its tries share. */
  readonly requestId: string | undefined
  /** The whole answer, with members such as `required` and `remaining`. */
  readonly problem: Problem | undefined

  constructor(
    code: string,
    message: string,
    about: { status?: number; requestId?: string; problem?: Problem; cause?: unknown } = {},
  ) {
    super(message, 'cause' in about ? { cause: about.cause } : undefined)
    this.code = code
    this.status = about.status ?? 0
    this.requestId = about.requestId ?? about.problem?.request_id
    this.problem = about.problem
  }
}
