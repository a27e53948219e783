import { Passwords } from '../../server/platform/auth/passwords.ts'

/**
 * Hashes and verifies like the product, with a cache: hundreds of workspaces have owners with the same
 * password, and hashing is slow by design. A secret outside the cache is verified as usual.
 */
export class RememberedPasswords extends Passwords {
  readonly #hashes = new Map<string, Promise<string>>()

  override hash(secret: string): Promise<string> {
    const known = this.#hashes.get(secret)
    if (known) return known
    const made = super.hash(secret)
    this.#hashes.set(secret, made)
    // The queue of hashes was full: the next caller tries again.
    made.catch(() => this.#hashes.delete(secret))
    return made
  }

  override async isRight(secret: string, stored: string | undefined): Promise<boolean> {
    const known = await this.#hashes.get(secret)?.catch(() => undefined)
    return known !== undefined && known === stored ? true : super.isRight(secret, stored)
  }
}
