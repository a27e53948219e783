import { hash } from 'node:crypto'
import { z } from 'zod'
import { invalidFields } from '../http/errors.ts'
import { isoTime } from '../http/pagination.ts'
import { type TenantRow, leadFormOf, privacyOf } from './tenants.ts'

const VERSION_LENGTH = 16

/** A visitor's consent: the text, a version derived from the text, and the time. */
export const Consent = z.object({ text: z.string(), version: z.string(), given_at: z.string() })
export type Consent = z.infer<typeof Consent>

/** A consent in a row; both columns are null without one. */
export interface StoredConsent {
  consent_text: string | null
  consent_at: number | null
}

/** Throws 422 without the consent that the site requires for contact details. */
export function requireConsent(tenant: TenantRow, given: boolean | undefined): void {
  if (privacyOf(tenant).consent_required && given !== true) {
    throw invalidFields([{ path: '/consent', message: 'must be given on this site' }])
  }
}

/** Returns the columns of a consent to the text beside the site's forms, given now or not given. */
export function toStoredConsent(
  tenant: TenantRow,
  given: boolean,
  { now, locale }: { now: number; locale: string },
): StoredConsent {
  return given
    ? { consent_text: leadFormOf(tenant, locale).consent_text, consent_at: now }
    : { consent_text: null, consent_at: null }
}

/** Returns the consent as the workspace sees it. */
export function serializeConsent({
  consent_text: text,
  consent_at: at,
}: StoredConsent): Consent | null {
  if (text === null || at === null) return null
  const version = hash('sha256', text).slice(0, VERSION_LENGTH)
  return { text, version, given_at: isoTime(at) }
}
