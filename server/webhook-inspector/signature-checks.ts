import { constantTimeEqual } from '../lib/constant-time.ts'
import { hexSignature, platformSignature, standardSignature } from '../delivery/signature.ts'
import type { CandidateSecret } from './candidate-secrets.ts'

/** Older requests, or ones from the future, are refused by a careful receiver. */
const FRESH_SECONDS = 5 * 60

/** The four ways in which a delivery can be signed. */
export const SIGNATURES = [
  'X-SVC-Signature',
  'X-CHAT-Signature',
  'webhook-signature',
  'signature',
] as const
export type SignatureName = (typeof SIGNATURES)[number]

/** `good` and `stale`: the endpoint's secret fits; `wrong`: no secret does. */
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

/** Judges each signature that a request brings. None at all gives an empty list. */
export function checkSignatures(
  request: SignedRequest,
  signers: readonly CandidateSecret[],
): SignatureCheck[] {
  const { headers, body, at } = request
  const isFresh = (timestamp = '') =>
    Math.abs(at / 1000 - Number(timestamp || NaN)) <= FRESH_SECONDS
  const verdicts: SignatureCheck[] = []

  function checkSignature(
    name: SignatureName,
    given: string | undefined,
    makes: (secret: string) => string,
    isOnTime: boolean,
  ): void {
    if (given === undefined) return
    // Standard Webhooks lists several while a rotation overlaps.
    const parts = name === 'webhook-signature' ? given.split(' ') : [given]
    const signer = signers.find(({ secrets }) =>
      secrets.some((secret) => parts.some((part) => constantTimeEqual(part, makes(secret)))),
    )
    const result = !signer ? 'wrong' : isOnTime ? 'good' : 'stale'
    verdicts.push({ name, result, endpointId: signer?.id ?? null })
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
  // The body's own signature is its last field, over the text without it.
  const signed = /^(?<unsigned>\{.*),"signature":"(?<signature>sha256=[0-9a-f]{64})"\}$/s.exec(body)
  checkSignature(
    'signature',
    signed?.groups?.signature,
    (secret) => hexSignature(secret, `${signed?.groups?.unsigned ?? ''}}`),
    true,
  )
  return verdicts
}
