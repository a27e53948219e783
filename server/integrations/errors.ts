/** Another attempt may succeed. The message is for the workspace to read. */
export class RetryableError extends Error {
  /** The delay that the other side asked for. */
  readonly retryAfterMs: number | undefined
  /** Whether the other side may have done what it was asked for all the same. */
  readonly mayHaveSucceeded: boolean

  constructor(
    message: string,
    options: {
      retryAfterMs?: number | undefined
      mayHaveSucceeded?: boolean
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.retryAfterMs = options.retryAfterMs
    this.mayHaveSucceeded = options.mayHaveSucceeded ?? false
  }
}

/** Each further attempt would fail too. The message is for the workspace to read. */
export class PermanentError extends Error {}
