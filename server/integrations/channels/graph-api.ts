import { z } from 'zod'
import { AppError, invalidFields } from '../../http/errors.ts'
import { constantTimeEqual } from '../../lib/constant-time.ts'
import type { ChannelSecrets, SignedCall } from './channel.ts'
import { firstHeader, hexHmac } from './signatures.ts'

/** Base URL of the Graph API, which WhatsApp, Facebook and Instagram share. */
export const GRAPH_API_URL = 'https://graph.facebook.com/v23.0'

/** The query with which Meta checks that the address belongs to the app. */
export const HubChallenge = z.looseObject({
  'hub.mode': z.string().optional(),
  'hub.verify_token': z.string().optional(),
  'hub.challenge': z.string().max(1_000).optional(),
})

/** Answers the challenge. Throws 401 for another verify token, 422 without a challenge. */
export function answerHubChallenge(query: unknown, secret: string): string {
  const asked = HubChallenge.parse(query)
  if (!constantTimeEqual(asked['hub.verify_token'], secret)) {
    throw new AppError(
      'unauthenticated',
      'The verify token does not match the one of the integration.',
    )
  }
  const challenge = asked['hub.challenge']
  if (asked['hub.mode'] !== 'subscribe' || challenge === undefined) {
    throw invalidFields([{ path: '/hub.challenge', message: 'is missing' }])
  }
  return challenge
}

/** Verifies `X-Hub-Signature-256`: `sha256=` and the hex HMAC of the body with the app secret. */
export function verifyHubSignature(secrets: ChannelSecrets, call: SignedCall): boolean {
  const expected = `sha256=${hexHmac(secrets.app_secret ?? secrets.secret, call.body)}`
  return constantTimeEqual(firstHeader(call, 'x-hub-signature-256'), expected)
}
