import { createHmac, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MasterKey, masterKey, encrypt, decrypt } from '../../lib/encryption.ts'

declare module '../../context.ts' {
  interface Services {
    readonly secrets: Secrets
  }
}

const KEY_FILE = 'secret.key'

/** The cryptography of the installation's secret key, which never leaves this class. */
export class Secrets {
  readonly #keys: readonly [MasterKey, ...MasterKey[]]

  constructor(current: string, previous?: string) {
    this.#keys = [masterKey(current), ...(previous ? [masterKey(previous)] : [])]
  }

  /**
   * Encrypts a customer's secret for storage. `context` binds it to its row, such as the row's id.
   */
  encrypt(plain: string, context: string): string {
    return encrypt(this.#keys[0], plain, context)
  }

  /** Decrypts a secret of the current or the previous key. Throws when the key is gone. */
  decrypt(ciphertext: string, context: string): string {
    return decrypt(this.#keys, ciphertext, context)
  }

  /** The id of the previous key, if there is one: the prefix of every ciphertext of that key. */
  get previousKeyId(): string | undefined {
    return this.#keys[1]?.id
  }

  /**
   * Re-encrypts the previous key's ciphertexts inside a text. Throws when one cannot be decrypted.
   */
  reencrypt(text: string, context: string): string {
    const { previousKeyId } = this
    if (previousKeyId === undefined) return text
    return text.replaceAll(new RegExp(`\\b${previousKeyId}\\.[\\w-]+`, 'g'), (ciphertext) =>
      this.encrypt(this.decrypt(ciphertext, context), context),
    )
  }

  /** Returns the key that signs new tokens, and its id for the `kid` header. */
  signingKey(): { id: string; key: Buffer } {
    return { id: this.#keys[0].id, key: this.#keys[0].signing }
  }

  /** Finds the current or previous signing key by its id. */
  findSigningKey(id: string | undefined): Buffer | undefined {
    return this.#keys.find((key) => key.id === id)?.signing
  }

  /**
   * Returns a keyed digest (HMAC-SHA-256, base64url), for values that are looked up and never read.
   */
  digest(text: string): string {
    return createHmac('sha256', this.#keys[0].digest).update(text).digest('base64url')
  }

  /** Returns the digests of a text under the current and the previous key, in this order. */
  digests(text: string): string[] {
    return this.#keys.map((key) =>
      createHmac('sha256', key.digest).update(text).digest('base64url'),
    )
  }
}

/** Opens `SECRET_KEY`, or a key that is generated once into the data directory (mode 0600). */
export function openSecrets(settings: {
  secretKey: string | undefined
  secretKeyPrevious: string | undefined
  dataDir: string
}): Secrets {
  if (settings.secretKey) return new Secrets(settings.secretKey, settings.secretKeyPrevious)
  const file = join(settings.dataDir, KEY_FILE)
  if (!existsSync(file)) {
    mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 })
    writeFileSync(file, randomBytes(32).toString('base64url'), {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    })
  }
  chmodSync(file, 0o600)
  return new Secrets(readFileSync(file, 'utf8').trim(), settings.secretKeyPrevious)
}
