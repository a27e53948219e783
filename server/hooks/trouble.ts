/** It did not work now; it may work later. The message is for the workspace's eyes. */
export class Later extends Error {
  /** How long the other side asked to be left alone. */
  readonly retryAfterMs: number | undefined

  constructor(
    message: string,
    options: { retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.retryAfterMs = options.retryAfterMs
  }
}

/** It will never work. The message is for the workspace's eyes. */
export class GivenUp extends Error {}
