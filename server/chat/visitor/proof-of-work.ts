import { createHash } from 'node:crypto'
import { type Context, transaction } from '../../context.ts'
import type { RateLimitStore } from '../../http/rate-limit-store.ts'
import { AppError } from '../../http/errors.ts'
import { constantTimeEqual } from '../../lib/constant-time.ts'
import { isoTime } from '../../http/pagination.ts'
import { randomText } from '../../lib/ids.ts'
import type { TxDb } from '../../storage/database.ts'
import type { Proof } from '../schema.ts'
import { type TenantRow, abuseOf } from '../../tenants/tenants.ts'

const MINUTE_MS = 60_000
/** A slow phone has done the most that is asked for in a fraction of this. */
const CHALLENGE_MS = 3 * MINUTE_MS
/** Zero bits: a script finds 14 in about a tenth of a second, 20 in some seconds. */
const FEWEST_BITS = 14
const MAX_BITS = 20
const DEFAULT_VISITORS = 60
const ID_LENGTH = 22

/**
 * Work that a browser does before it becomes a visitor, so that thousands of them cost something: a
 * nonce such that the SHA-256 of `challenge.nonce` begins with as many zero bits as the challenge
 * names (hashcash). Challenges are signed and kept nowhere; each is taken once.
 */
export class ProofOfWork {
  readonly #ctx: Context
  readonly #counters: RateLimitStore

  constructor(ctx: Context, counters: RateLimitStore) {
    this.#ctx = ctx
    this.#counters = counters
  }

  /** Zero bits that the site asks for now; 0 when it asks for nothing. */
  async bitsFor(tenant: TenantRow): Promise<number> {
    const { proof_of_work: mode = 'off', usual_visitors: usual = DEFAULT_VISITORS } =
      abuseOf(tenant)
    if (mode === 'off') return 0
    const minute = Math.floor(this.#ctx.now() / MINUTE_MS)
    const counts = await Promise.all([
      this.#counters.read(newVisitorCounterKey(tenant, minute)),
      this.#counters.read(newVisitorCounterKey(tenant, minute - 1)),
    ])
    const pressure = Math.max(...counts.map(({ current }) => current)) / usual
    if (pressure < 1) return mode === 'always' ? FEWEST_BITS : 0
    return Math.min(MAX_BITS, FEWEST_BITS + Math.floor(Math.log2(pressure)))
  }

  /**
   * Lets a newcomer pass who has done the work, or from whom none is asked. Throws 403
   * `proof_required` with a new challenge otherwise: also when the proof is wrong, late or was used.
   */
  async admit(tenant: TenantRow, proof: Proof | undefined): Promise<void> {
    if ((abuseOf(tenant).proof_of_work ?? 'off') === 'off') return
    const bits = await this.bitsFor(tenant)
    const isProved = bits === 0 || (proof !== undefined && (await this.#isProof(tenant, proof)))
    if (!isProved) throw this.#ask(tenant, bits)
    const minute = Math.floor(this.#ctx.now() / MINUTE_MS)
    await this.#counters.add(newVisitorCounterKey(tenant, minute), 2 * MINUTE_MS)
  }

  #ask(tenant: TenantRow, bits: number): AppError {
    const endsAt = this.#ctx.now() + CHALLENGE_MS
    const terms = [tenant.id, bits, endsAt, randomText(ID_LENGTH)].join('.')
    return new AppError(
      'proof_required',
      'Many ask for this site. Solve the challenge in `proof` and send it with the same request.',
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

  /** Whether it is one of this site's challenges, in time, solved, and taken for the first time. */
  async #isProof(tenant: TenantRow, { challenge, nonce }: Proof): Promise<boolean> {
    const [tenantId, bits, endsAt, id, signature, ...rest] = challenge.split('.')
    if (!id || !signature || rest.length > 0 || tenantId !== tenant.id) return false
    const terms = [tenantId, bits, endsAt, id].join('.')
    const isOurs = this.#ctx.secrets
      .digests(signed(terms))
      .some((right) => constantTimeEqual(signature, right))
    if (!isOurs || Number(endsAt) <= this.#ctx.now()) return false
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

/** What is signed: nothing else that is digested with the same key begins like this. */
function signed(terms: string): string {
  return `challenge:${terms}`
}

function leadingZeroBits(hash: Buffer): number {
  const first = hash.findIndex((byte) => byte !== 0)
  return first === -1 ? hash.length * 8 : first * 8 + Math.clz32(hash[first] ?? 0) - 24
}
