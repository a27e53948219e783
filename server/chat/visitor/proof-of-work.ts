import { createHash } from 'node:crypto'
import { type Context, transaction } from '../../context.ts'
import type { RateLimitStore } from '../../http/rate-limit-store.ts'
import { AppError } from '../../http/errors.ts'
import { constantTimeEqual } from '../../lib/constant-time.ts'
import { isoTime } from '../../http/pagination.ts'
import { MINUTE_MS } from '../../lib/durations.ts'
import { randomText } from '../../lib/ids.ts'
import type { TxDb } from '../../storage/database.ts'
import type { Proof } from '../schema.ts'
import { type TenantRow, abuseOf } from '../../tenants/tenants.ts'

/** Lifetime of a challenge; a slow phone solves the hardest one in a fraction of it. */
const CHALLENGE_TTL_MS = 3 * MINUTE_MS
/** Difficulty in zero bits: a script solves 14 in about 100 ms, 20 in some seconds. */
const MIN_BITS = 14
const MAX_BITS = 20
const DEFAULT_VISITORS = 60
const ID_LENGTH = 22

/**
 * Proof of work before a browser becomes a visitor, so that thousands of visitors have a price: a
 * nonce for which the SHA-256 of `challenge.nonce` begins with the challenge's number of zero bits
 * (hashcash). Challenges are signed, stateless, and valid once.
 */
export class ProofOfWork {
  readonly #ctx: Context
  readonly #counters: RateLimitStore

  constructor(ctx: Context, counters: RateLimitStore) {
    this.#ctx = ctx
    this.#counters = counters
  }

  /** Returns the current difficulty of the site in zero bits; 0 for none. */
  async bitsFor(tenant: TenantRow): Promise<number> {
    const { proof_of_work: mode = 'auto', usual_visitors: usual = DEFAULT_VISITORS } =
      abuseOf(tenant)
    if (mode === 'off') return 0
    const minute = Math.floor(this.#ctx.now() / MINUTE_MS)
    const counts = await Promise.all([
      this.#counters.read(newVisitorCounterKey(tenant, minute)),
      this.#counters.read(newVisitorCounterKey(tenant, minute - 1)),
    ])
    const pressure = Math.max(...counts.map(({ current }) => current)) / usual
    if (pressure < 1) return mode === 'always' ? MIN_BITS : 0
    return Math.min(MAX_BITS, MIN_BITS + Math.floor(Math.log2(pressure)))
  }

  /**
   * Admits a new visitor with a valid proof, or without one while the site requires none. Throws
   * 403 `proof_required` with a new challenge otherwise: also for a proof that is wrong, late or
   * used.
   */
  async admit(tenant: TenantRow, proof: Proof | undefined): Promise<void> {
    if (abuseOf(tenant).proof_of_work === 'off') return
    const bits = await this.bitsFor(tenant)
    const isProved = bits === 0 || (proof !== undefined && (await this.#isProof(tenant, proof)))
    if (!isProved) throw this.#buildChallenge(tenant, bits)
    const minute = Math.floor(this.#ctx.now() / MINUTE_MS)
    await this.#counters.add(newVisitorCounterKey(tenant, minute), 2 * MINUTE_MS)
  }

  #buildChallenge(tenant: TenantRow, bits: number): AppError {
    const endsAt = this.#ctx.now() + CHALLENGE_TTL_MS
    const terms = [tenant.id, bits, endsAt, randomText(ID_LENGTH)].join('.')
    return new AppError(
      'proof_required',
      'A proof of work is required. Solve the challenge in `proof` and repeat the request with it.',
      {
        more: {
          proof: {
            algorithm: 'sha-256',
            challenge: `${terms}.${this.#ctx.secrets.digest(signed(terms))}`,
            bits,
            expires_at: isoTime(endsAt),
          },
        },
      },
    )
  }

  /** Returns whether the proof solves a current, unused challenge of this site. */
  async #isProof(tenant: TenantRow, { challenge, nonce }: Proof): Promise<boolean> {
    const [tenantId, bits, endsAt, id, signature, ...rest] = challenge.split('.')
    if (!id || !signature || rest.length > 0 || tenantId !== tenant.id) return false
    const terms = [tenantId, bits, endsAt, id].join('.')
    const isSignedByUs = this.#ctx.secrets
      .digests(signed(terms))
      .some((right) => constantTimeEqual(signature, right))
    if (!isSignedByUs || Number(endsAt) <= this.#ctx.now()) return false
    const hash = createHash('sha256').update(`${challenge}.${nonce}`).digest()
    if (leadingZeroBits(hash) < Number(bits)) return false
    return transaction(this.#ctx, (tx) => insertUsedNonce(tx.db, id, Number(endsAt)))
  }
}

/** Deletes the used challenges whose deadline has passed. Idempotent. */
export async function expireUsedNonces(ctx: Context): Promise<void> {
  await ctx.db.deleteFrom('spent_challenges').where('ends_at', '<=', ctx.now()).execute()
}

/** Returns whether the challenge was unused until now. */
async function insertUsedNonce(db: TxDb, id: string, endsAt: number): Promise<boolean> {
  const inserted = await db
    .insertInto('spent_challenges')
    .values({ id, ends_at: endsAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

function newVisitorCounterKey(tenant: TenantRow, minute: number): string {
  return `newcomers:${tenant.id}:${minute}`
}

/** The prefix separates these digests from all others of the same key. */
function signed(terms: string): string {
  return `challenge:${terms}`
}

function leadingZeroBits(hash: Buffer): number {
  const first = hash.findIndex((byte) => byte !== 0)
  return first === -1 ? hash.length * 8 : first * 8 + Math.clz32(hash[first] ?? 0) - 24
}
