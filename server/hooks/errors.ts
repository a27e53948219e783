/** It did not work now; it may work later. The message is for the workspace's eyes. */
export class Later extends Error {
  /** How long the other side asked to be left alone. */
  readonly retryAfterMs: number | undefined
  /** Whether the other side may have done what it was asked for, all the same. */
  readonly mayBeDone: boolean

  constructor(
    message: string,
    options: { retryAfterMs?: number | undefined; mayBeDone?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.retryAfterMs = options.retryAfterMs
    this.mayBeDone = options.mayBeDone ?? false
  }
}

/** It will never work. The message is for the workspace's eyes. */
export class GivenUp extends Error {}
