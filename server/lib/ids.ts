import { randomFillSync } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Bytes from here on would make the first letters of the alphabet likelier than the rest. */
const UNBIASED = 256 - (256 % ALPHABET.length)
const ID_LENGTH = 22

export type IdPrefix =
  | 'usr'
  | 'ws'
  | 'key'
  | 'run'
  | 'evt'
  | 'wh'
  | 'whs'
  | 'rule'
  | 'bot'
  | 'ses'
  | 'msg'
  | 'lead'
  | 'apt'
  | 'vis'
  | 'doc'
  | 'itg'
  | 'ldg'
  | 'fam'
  | 'req'

/** Random letters and digits from the system's CSPRNG, each equally likely. */
export function randomText(length: number): string {
  let text = ''
  const bytes = Buffer.allocUnsafe(length * 2)
  while (text.length < length) {
    randomFillSync(bytes)
    for (const byte of bytes) {
      if (byte < UNBIASED) text += ALPHABET[byte % ALPHABET.length]
      if (text.length === length) break
    }
  }
  return text
}

/** A new id such as `ses_4fzX…`: a prefix and 22 random letters and digits (130 bits). */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomText(ID_LENGTH)}`
}
