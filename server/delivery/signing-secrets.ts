import { z } from 'zod'
import type { Context, Transaction } from '../context.ts'
import { randomText } from '../lib/ids.ts'
import type { SigningSecrets } from './signature.ts'

/** How long a previous secret keeps signing after a rotation. */
const OVERLAP_MS = 24 * 60 * 60 * 1000
/** Older ones are forgotten: each adds a signature to every delivery. */
const MAX_PREVIOUS = 5
const GENERATED_LENGTH = 40

/** An endpoint's secrets as they are stored, each sealed for the endpoint's id. */
export interface SigningSecretColumns {
  secret: string
  /** JSON: those before, new ones first, and until when each signs too. */
  previous_secrets: string
}

type EncryptedSecret = SigningSecretColumns & { id: string }

const Previous = z.array(z.object({ sealed: z.string(), until: z.number() }))

/** A secret of 40 random letters and digits (238 bits). */
export function generateSecret(): string {
  return randomText(GENERATED_LENGTH)
}

/** The first secret of a new endpoint. */
export function encryptSecret(ctx: Context, id: string, secret: string): SigningSecretColumns {
  return { secret: ctx.secrets.encrypt(secret, id), previous_secrets: '[]' }
}

/** What a rotation stores: the secret until now signs beside the new one for a day. */
export function rotateSigningSecret(
  ctx: Context,
  endpoint: EncryptedSecret,
  secret: string,
): { sealed: SigningSecretColumns; previousUntil: number } {
  const previousUntil = ctx.now() + OVERLAP_MS
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

/** What is left of the secrets of an endpoint that was deleted. */
export const NO_SECRETS: SigningSecretColumns = { secret: '', previous_secrets: '[]' }

/**
 * An endpoint's secrets at this moment: previous ones only while their day of overlap lasts.
 * Throws when they were sealed with a key that is not set any more.
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
  // Nearly every endpoint has none, and this is read for each delivery.
  if (previous_secrets === '[]') return []
  return Previous.parse(JSON.parse(previous_secrets)).filter(({ until }) => now < until)
}
