import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { solve } from '../../../widget/chat/proof.ts'

// Around the ends of a block of SHA-256, where padding goes wrong.
test.each([1, 54, 55, 63, 64, 88, 119, 128])(
  'the work that the service asks for is done right for a challenge of %i letters',
  async (length) => {
    const challenge = 'a'.repeat(length)
    const { nonce } = await solve({ challenge, bits: 9 })
    const hash = createHash('sha256').update(`${challenge}.${nonce}`).digest()
    expect(hash.readUInt32BE(0) >>> (32 - 9)).toBe(0)
    expect(nonce).toMatch(/^[0-9a-z]{1,40}$/)
  },
)
