import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { standardSignature } from '../delivery/signature.ts'
import { signingSecrets } from '../delivery/signing-secrets.ts'
import { standardKey } from '../lib/standard-webhooks.ts'
import { buildBody } from './body-template.ts'
import type { LoadedAction } from './definition.ts'
import type { ActionRequest } from './http-client.ts'
import type { ActionInputs } from './schema.ts'
import type { ActionRow } from './store.ts'
import { fillUrl } from './url-template.ts'

export const MASK = '••••••••'
const SealedHeaders = z.record(z.string(), z.string())

/** Parts of a call beside its action. */
export interface CallParts {
  /** The `acl_` id, the same at every attempt. */
  id: string
  inputs: ActionInputs
  /** The `sub` of a verified visitor. */
  visitor: string | null
}

/** Returns the encrypted value of each header by its name. */
export function sealedHeaders({ headers }: Readonly<ActionRow>): Record<string, string> {
  return SealedHeaders.parse(JSON.parse(headers))
}

/** Returns the headers of the owner, decrypted. */
export function openHeaders(ctx: Context, row: Readonly<ActionRow>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sealedHeaders(row)).map(([name, sealed]) => [
      name,
      ctx.secrets.decrypt(sealed, row.id),
    ]),
  )
}

/**
 * Returns the request of an attempt at this moment, signed; `undefined` for inputs that cannot stand
 * in its address.
 */
export function signedRequest(
  ctx: Context,
  { row, definition }: LoadedAction,
  { id, inputs, visitor }: CallParts,
  userAgent: string,
): ActionRequest | undefined {
  const url = fillUrl(definition.url, inputs)
  if (url === undefined) return undefined
  const { method } = definition
  const body = buildBody(definition, inputs)
  const seconds = Math.floor(ctx.now() / 1_000)
  const { current, previous = [] } = signingSecrets(ctx, row)
  const sub = visitor === null ? '' : encodeURIComponent(visitor.toWellFormed())
  const { pathname, search } = new URL(url)
  const whole = [id, seconds, method, pathname + search, sub, body ?? ''].join('\n')
  const sign = (secret: string) =>
    `sha256=${createHmac('sha256', standardKey(secret)).update(whole).digest('hex')}`
  const secrets = [current, ...previous]
  return {
    method,
    url,
    body,
    headers: {
      ...openHeaders(ctx, row),
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': userAgent,
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': secrets
        .map((secret) => standardSignature(secret, id, seconds, body ?? ''))
        .join(' '),
      'X-Sohbet-Signature': secrets.map(sign).join(' '),
      ...(visitor === null ? {} : { 'X-Sohbet-Visitor': sub }),
    },
  }
}
