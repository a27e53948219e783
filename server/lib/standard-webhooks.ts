const PREFIX = 'whsec_'
/** Base64 with its padding, as the libraries of Standard Webhooks decode it. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Whether a secret has the form of Standard Webhooks: `whsec_` and the key in base64. */
export function isStandardSecret(secret: string): boolean {
  return secret.startsWith(PREFIX) && BASE64.test(secret.slice(PREFIX.length))
}

/**
 * Returns the key of the `webhook-signature` header: the decoded bytes of a secret in the form of
 * Standard Webhooks, else the UTF-8 bytes of the text.
 */
export function standardKey(secret: string): Buffer {
  return isStandardSecret(secret)
    ? Buffer.from(secret.slice(PREFIX.length), 'base64')
    : Buffer.from(secret)
}

/** Returns a secret in the form that the libraries of Standard Webhooks expect. */
export function standardSecret(secret: string): string {
  return isStandardSecret(secret) ? secret : PREFIX + Buffer.from(secret).toString('base64')
}
