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

/** What the installation's secret key is used for. The key itself stays inside. */
export class Secrets {
  readonly #keys: readonly [MasterKey, ...MasterKey[]]

  constructor(current: string, previous?: string) {
    this.#keys = [masterKey(current), ...(previous ? [masterKey(previous)] : [])]
  }

  /** Encrypts a customer's secret for storage. `context` binds it to its row, such as the row's id. */
  encrypt(plain: string, context: string): string {
    return encrypt(this.#keys[0], plain, context)
  }

  /** Opens a sealed secret, also one of the previous key. Throws when the key is gone. */
  decrypt(sealed: string, context: string): string {
    return decrypt(this.#keys, sealed, context)
  }

  /** The id of the previous key, while there is one. It begins whatever that key has sealed. */
  get previousKeyId(): string | undefined {
    return this.#keys[1]?.id
  }

  /** Seals anew, inside any text, what the previous key has sealed. Throws when it does not open. */
  reencrypt(text: string, context: string): string {
    const { previousKeyId } = this
    if (previousKeyId === undefined) return text
    return text.replaceAll(new RegExp(`\\b${previousKeyId}\\.[\\w-]+`, 'g'), (sealed) =>
      this.encrypt(this.decrypt(sealed, context), context),
    )
  }

  /** The key that signs new tokens, with the id that goes into their `kid`. */
  signingKey(): { id: string; key: Buffer } {
    return { id: this.#keys[0].id, key: this.#keys[0].signing }
  }

  /** The key that a token names, current or previous. */
  findSigningKey(id: string | undefined): Buffer | undefined {
    return this.#keys.find((key) => key.id === id)?.signing
  }

  /** A keyed digest (HMAC-SHA-256, base64url), for what must be found again but never read. */
  digest(text: string): string {
    return createHmac('sha256', this.#keys[0].digest).update(text).digest('base64url')
  }

  /** The digests that a text could be stored under: with the current key, then the previous one. */
  digests(text: string): string[] {
    return this.#keys.map((key) =>
      createHmac('sha256', key.digest).update(text).digest('base64url'),
    )
  }
}

/** The `SECRET_KEY` setting, or one that is made once and kept in the data directory (mode 0600). */
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
