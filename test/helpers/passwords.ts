import { Passwords } from '../../server/platform/auth/passwords.ts'

/**
 * Hashes and checks as the product does, but each secret once: hundreds of workspaces have owners
 * with the same password, and a hash is made to be slow. A secret that was never hashed here is
 * judged as always.
 */
export class RememberedPasswords extends Passwords {
  readonly #hashes = new Map<string, Promise<string>>()

  override hash(secret: string): Promise<string> {
    const known = this.#hashes.get(secret)
    if (known) return known
    const made = super.hash(secret)
    this.#hashes.set(secret, made)
    // Refused because too many waited: the next one tries again.
    made.catch(() => this.#hashes.delete(secret))
    return made
  }

  override async isRight(secret: string, stored: string | undefined): Promise<boolean> {
    const known = await this.#hashes.get(secret)?.catch(() => undefined)
    return known !== undefined && known === stored ? true : super.isRight(secret, stored)
  }
}
