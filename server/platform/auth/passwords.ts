import { availableParallelism } from 'node:os'
import { AppError } from '../../http/errors.ts'

/** Argon2id as OWASP advises: 19 MiB, two passes, one lane (about 40 ms). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const MAX_WAITING = 32

/** A hash without a known password: an unknown e-mail takes as long as a wrong password. */
const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$c29oYmV0LW5vYm9keS1oZXJl$aDm1t5cBzZ4QkqkT6PqXn0v8sYb0m8mIuS3o1l9bX2E'

/** Loads the native module at the first login, because nothing else needs it. */
function loadArgon2() {
  return import('@node-rs/argon2')
}

/**
 * Hashes and verifies secrets with Argon2id. Concurrency is bounded, so that other work is not
 * delayed.
 */
export class Passwords {
  readonly #slots = Math.max(1, availableParallelism() - 1)
  readonly #waiting: (() => void)[] = []
  #busy = 0

  /** Returns the hash of a secret. Throws 503 when the queue is full. */
  async hash(secret: string): Promise<string> {
    const argon2 = await loadArgon2()
    return this.#inTurn(() => argon2.hash(secret, COST))
  }

  /** Returns whether the secret matches the hash; without a hash false, in the same time. */
  async isRight(secret: string, stored: string | undefined): Promise<boolean> {
    const argon2 = await loadArgon2()
    const right = await this.#inTurn(() =>
      argon2.verify(stored ?? DUMMY_HASH, secret).catch(() => false),
    )
    return right && stored !== undefined
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#busy >= this.#slots) {
      if (this.#waiting.length >= MAX_WAITING) {
        throw new AppError('unavailable', 'Too many sign-ins at the moment. Try again shortly.', {
          headers: { 'retry-after': '2' },
        })
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    this.#busy += 1
    try {
      return await work()
    } finally {
      this.#busy -= 1
      this.#waiting.shift()?.()
    }
  }
}
