import type { CountryCode } from 'libphonenumber-js'
import { z } from 'zod'

/** Where a phone number without a country code is from, by the language of the site. */
const COUNTRY_OF: Record<string, CountryCode> = { tr: 'TR', de: 'DE' }
const Email = z.email().max(254)

export const PHONE_FAULT = 'must be a phone number, like +90 532 123 45 67'
export const EMAIL_FAULT = 'must be an e-mail address'

/** A phone number in E.164; `undefined` for what is none. It may be local to the site's country. */
export async function readPhone(text: string, locale: string): Promise<string | undefined> {
  // The world's numbering plans take 5 MB: loaded with the first number.
  const { isSupportedCountry, parsePhoneNumberFromString } = await import('libphonenumber-js')
  const [language = '', region = ''] = locale.split('-')
  const country = isSupportedCountry(region) ? region : COUNTRY_OF[language]
  const phone = parsePhoneNumberFromString(text, country)
  return phone?.isValid() ? phone.number : undefined
}

/** An e-mail address in lower case; `undefined` for what is none. */
export function readEmail(text: string): string | undefined {
  return Email.safeParse(text.trim().toLowerCase()).data
}
