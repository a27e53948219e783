import { z } from 'zod'
import type { Context, Transaction } from '../context.ts'
import { DAY_MS } from '../lib/durations.ts'
import { randomText } from '../lib/ids.ts'
import type { SigningSecrets } from './signature.ts'

/** Time after a rotation in which the previous secret still signs. */
const ROTATION_OVERLAP_MS = DAY_MS
/** Older secrets are dropped, because each one adds a signature to every delivery. */
const MAX_PREVIOUS = 5
const GENERATED_LENGTH = 40

/** An endpoint's secrets as stored, each encrypted for the endpoint's id. */
export interface SigningSecretColumns {
  secret: string
  /** JSON: the previous secrets, newest first, and the end of the overlap of each. */
  previous_secrets: string
}

type EncryptedSecret = SigningSecretColumns & { id: string }

const Previous = z.array(z.object({ sealed: z.string(), until: z.number() }))

/** Returns a secret of 40 random letters and digits (238 bits). */
export function generateSecret(): string {
  return randomText(GENERATED_LENGTH)
}

/** Returns the columns for the first secret of a new endpoint. */
export function encryptSecret(ctx: Context, id: string, secret: string): SigningSecretColumns {
  return { secret: ctx.secrets.encrypt(secret, id), previous_secrets: '[]' }
}

/** Returns the columns of a rotation: the old secret signs beside the new one for a day. */
export function rotateSigningSecret(
  ctx: Context,
  endpoint: EncryptedSecret,
  secret: string,
): { sealed: SigningSecretColumns; previousUntil: number } {
  const previousUntil = ctx.now() + ROTATION_OVERLAP_MS
  const previous = [
    { sealed: endpoint.secret, until: previousUntil },
    ...validPrevious(endpoint, ctx.now()),
  ]
  return {
    sealed: {
      secret: ctx.secrets.encrypt(secret, endpoint.id),
      previous_secrets: JSON.stringify(previous.slice(0, MAX_PREVIOUS)),
    },
    previousUntil,
  }
}

/** The columns of a deleted endpoint. */
export const NO_SECRETS: SigningSecretColumns = { secret: '', previous_secrets: '[]' }

/**
 * Decrypts an endpoint's secrets, the previous ones only within their overlap. Throws for secrets
 * whose encryption key is no longer set.
 */
export function signingSecrets(
  ctx: Context | Transaction,
  endpoint: EncryptedSecret,
): SigningSecrets {
  return {
    current: ctx.secrets.decrypt(endpoint.secret, endpoint.id),
    previous: validPrevious(endpoint, ctx.now()).map(({ sealed }) =>
      ctx.secrets.decrypt(sealed, endpoint.id),
    ),
  }
}

function validPrevious(
  { previous_secrets }: SigningSecretColumns,
  now: number,
): z.infer<typeof Previous> {
  // Fast path: nearly every endpoint has none, and every delivery reads this.
  if (previous_secrets === '[]') return []
  return Previous.parse(JSON.parse(previous_secrets)).filter(({ until }) => now < until)
}
