import { randomFillSync } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Bytes from here on would make the first letters of the alphabet likelier than the rest. */
const UNBIASED = 256 - (256 % ALPHABET.length)
const RANDOM_LENGTH = 22
/** Enough letters for milliseconds until the year 2081. */
const TIME_LENGTH = 7
const POOL_BYTES = 16_384

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
  | 'inb'
  | 'out'
  | 'ldg'
  | 'fam'
  | 'req'
  | 'img'
  | 'inv'
  | 'aud'
  | 'mail'
  | 'note'
  | 'can'
  | 'pst'
  | 'rcv'
  | 'qst'
  | 'ntf'
  | 'psh'
  | 'att'
  | 'tq'
  | 'tr'
  | 'pic'
  | 'logo'
  | 'act'
  | 'acl'

/**
 * Hands out random bytes of the system's CSPRNG, each once; asking for them one id at a time is
 * slow.
 */
const pool = { bytes: Buffer.alloc(POOL_BYTES), next: POOL_BYTES }

function randomByte(): number {
  if (pool.next === POOL_BYTES) {
    randomFillSync(pool.bytes)
    pool.next = 0
  }
  const byte = pool.bytes[pool.next] ?? 0
  pool.bytes[pool.next] = 0
  pool.next += 1
  return byte
}

/** Random letters and digits from the system's CSPRNG, each equally likely. */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    const byte = randomByte()
    if (byte < UNBIASED) text += ALPHABET[byte % ALPHABET.length]
  }
  return text
}

/**
 * A new id such as `ses_0V9gX…`: a prefix, the time, and 22 random letters and digits (130 bits).
 * The time only keeps new rows together in the indexes, which makes a commit several times
 * smaller; nothing reads it back, so it may be the system's.
 */
export function newId(prefix: IdPrefix): string {
  let time = ''
  let rest = Date.now()
  for (let place = 0; place < TIME_LENGTH; place += 1) {
    time = ALPHABET[rest % ALPHABET.length] + time
    rest = Math.floor(rest / ALPHABET.length)
  }
  return `${prefix}_${time}${randomText(RANDOM_LENGTH)}`
}
