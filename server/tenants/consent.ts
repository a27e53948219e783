import { hash } from 'node:crypto'
import { z } from 'zod'
import { invalidFields } from '../http/errors.ts'
import { isoTime } from '../http/pagination.ts'
import { type TenantRow, leadFormOf, privacyOf } from './tenants.ts'

const VERSION_LENGTH = 16

/** What a visitor agreed to: the words, a name for just these words, and when. */
export const Consent = z.object({ text: z.string(), version: z.string(), given_at: z.string() })
export type Consent = z.infer<typeof Consent>

/** A consent as it is kept; both are null where none was given. */
export interface StoredConsent {
  consent_text: string | null
  consent_at: number | null
}

/** Throws 422 where the site takes contact details only with consent, and it was not given. */
export function requireConsent(tenant: TenantRow, given: boolean | undefined): void {
  if (privacyOf(tenant).consent_required && given !== true) {
    throw invalidFields([{ path: '/consent', message: 'must be given on this site' }])
  }
}

/** What is kept of a consent that was given now, or was not, to the words beside the site's forms. */
export function toStoredConsent(tenant: TenantRow, given: boolean, now: number): StoredConsent {
  return given
    ? { consent_text: leadFormOf(tenant).consent_text, consent_at: now }
    : { consent_text: null, consent_at: null }
}

/** The consent as the workspace sees it. */
export function serializeConsent({
  consent_text: text,
  consent_at: at,
}: StoredConsent): Consent | null {
  if (text === null || at === null) return null
  const version = hash('sha256', text).slice(0, VERSION_LENGTH)
  return { text, version, given_at: isoTime(at) }
}
