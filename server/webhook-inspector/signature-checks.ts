import { constantTimeEqual } from '../lib/constant-time.ts'
import { hexSignature, platformSignature, standardSignature } from '../delivery/signature.ts'
import type { CandidateSecret } from './candidate-secrets.ts'

/** Timestamp tolerance of a careful receiver, in both directions. */
const TOLERANCE_SECONDS = 5 * 60

/** The four ways in which a delivery can be signed. */
export const SIGNATURES = [
  'X-SVC-Signature',
  'X-CHAT-Signature',
  'webhook-signature',
  'signature',
] as const
export type SignatureName = (typeof SIGNATURES)[number]

/** `good`, `stale`: a secret matches, in or out of the tolerance; `wrong`: none matches. */
export interface SignatureCheck {
  name: SignatureName
  result: 'good' | 'stale' | 'wrong'
  endpointId: string | null
}

interface SignedRequest {
  /** Names in lower case. */
  headers: Record<string, string>
  body: string
  /** When it arrived, in milliseconds. */
  at: number
}

/** Checks each signature of a request. Returns an empty list for an unsigned request. */
export function checkSignatures(
  request: SignedRequest,
  signers: readonly CandidateSecret[],
): SignatureCheck[] {
  const { headers, body, at } = request
  const isFresh = (timestamp = '') =>
    Math.abs(at / 1000 - Number(timestamp || NaN)) <= TOLERANCE_SECONDS
  const checks: SignatureCheck[] = []

  function checkSignature(
    name: SignatureName,
    given: string | undefined,
    sign: (secret: string) => string,
    isOnTime: boolean,
  ): void {
    if (given === undefined) return
    // Standard Webhooks lists several while a rotation overlaps.
    const parts = name === 'webhook-signature' ? given.split(' ') : [given]
    const signer = signers.find(({ secrets }) =>
      secrets.some((secret) => parts.some((part) => constantTimeEqual(part, sign(secret)))),
    )
    const result = !signer ? 'wrong' : isOnTime ? 'good' : 'stale'
    checks.push({ name, result, endpointId: signer?.id ?? null })
  }

  const svcTime = headers['x-svc-timestamp']
  checkSignature(
    'X-SVC-Signature',
    headers['x-svc-signature'],
    (secret) => platformSignature(secret, Number(svcTime), body),
    isFresh(svcTime),
  )
  checkSignature(
    'X-CHAT-Signature',
    headers['x-chat-signature'],
    (secret) => hexSignature(secret, body),
    true,
  )
  const id = headers['webhook-id'] ?? ''
  const standardTime = headers['webhook-timestamp']
  checkSignature(
    'webhook-signature',
    headers['webhook-signature'],
    (secret) => standardSignature(secret, id, Number(standardTime), body),
    isFresh(standardTime),
  )
  // The body's own signature is its last field, and covers the text without that field.
  const signed = /^(?<unsigned>\{.*),"signature":"(?<signature>sha256=[0-9a-f]{64})"\}$/s.exec(body)
  checkSignature(
    'signature',
    signed?.groups?.signature,
    (secret) => hexSignature(secret, `${signed?.groups?.unsigned ?? ''}}`),
    true,
  )
  return checks
}
