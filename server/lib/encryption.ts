import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** One master secret, with the sub-keys that are derived from it. */
export interface MasterKey {
  /** Eight hex digits that name the key inside what it sealed or signed. */
  id: string
  sealing: Buffer
  signing: Buffer
  digest: Buffer
}

/** A ciphertext inside a text: the id of its key, and at least the IV and the tag. */
const CIPHERTEXT = /\b([0-9a-f]{8})\.[\w-]{38}/g

/** Derives the keys of one `SECRET_KEY` (HKDF-SHA-256, one label per use). */
export function masterKey(secret: string): MasterKey {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', secret, 'sohbet', use, 32))
  return {
    id: createHash('sha256').update(derive('id')).digest('hex').slice(0, 8),
    sealing: derive('seal'),
    signing: derive('sign'),
    digest: derive('digest'),
  }
}

/** Encrypts with AES-256-GCM. `context` (such as a row's id) must be the same to open it again. */
export function encrypt(key: MasterKey, plain: string, context: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key.sealing, iv)
  cipher.setAAD(Buffer.from(context))
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return `${key.id}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
}

/** Opens what `seal` closed, with whichever of the keys it names. Throws when none fits. */
export function decrypt(keys: readonly MasterKey[], sealed: string, context: string): string {
  const [id, body = ''] = sealed.split('.')
  const key = keys.find((candidate) => candidate.id === id)
  if (!key)
    throw new Error('A stored secret was sealed with a SECRET_KEY that is not set any more.')
  const bytes = Buffer.from(body, 'base64url')
  const decipher = createDecipheriv(CIPHER, key.sealing, bytes.subarray(0, IV_BYTES))
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  const plain = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES))
  return Buffer.concat([plain, decipher.final()]).toString('utf8')
}

/** Returns the ids of the keys that the ciphertexts inside a text name. */
export function keyIdsIn(text: string): string[] {
  return [...text.matchAll(CIPHERTEXT)].map(([, id = '']) => id)
}
