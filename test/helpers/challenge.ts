import { createHash } from 'node:crypto'

/** The challenge in a 403 `proof_required`. */
export interface Challenge {
  algorithm: string
  challenge: string
  bits: number
  expires_at: string
}

/** Solves the proof of work, as the widget does. */
export function solve({ challenge, bits }: Challenge): { challenge: string; nonce: string } {
  for (let tried = 0; ; tried += 1) {
    const nonce = tried.toString(36)
    const hash = createHash('sha256').update(`${challenge}.${nonce}`).digest()
    if (hash.readUInt32BE(0) >>> (32 - bits) === 0) return { challenge, nonce }
  }
}
