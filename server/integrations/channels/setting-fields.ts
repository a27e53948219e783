import { z } from 'zod'

/** A secret that the provider issued: printable, without spaces. */
export const Secret = z
  .string()
  .regex(/^[\x21-\x7e]{8,1024}$/, 'must have 8 to 1024 visible characters')

export const ProviderId = z
  .string()
  .regex(/^[\w.:-]{1,100}$/, 'must be an id as the provider shows it')

export const ApiBaseUrl = z.string().min(1).max(2_048).meta({
  description: "Base URL of the provider's API; the provider's public one when left out.",
})

/** A chosen signing key, or a generated one when left out. */
export const SigningKey = z.string().regex(/^(?:[\w-]{16,256}|whsec_[A-Za-z0-9+/=]{10,250})$/, {
  error: 'must have 16 to 256 letters, digits, _ or -, or be whsec_ and base64',
})

/** A chosen token that the provider sends back over TLS, or a generated one when left out. */
export const EchoedToken = z
  .string()
  .regex(/^[\w-]{8,256}$/, 'must have 8 to 256 letters, digits, _ or -')
