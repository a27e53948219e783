import { createRequire } from 'node:module'
import type { CountryCode } from 'libphonenumber-js'
import { z } from 'zod'

/** Default country of a local phone number, by the site's language. */
const COUNTRY_OF: Record<string, CountryCode> = { tr: 'TR', de: 'DE' }
const MIN_DIGITS = 7
const Email = z.email().max(254)

export const PHONE_FAULT = 'must be a phone number, like +90 532 123 45 67'
export const EMAIL_FAULT = 'must be an e-mail address'

type PhoneNumbers = typeof import('libphonenumber-js')

/** The numbering plans take 5 MB: loaded with the first number, then cached by Node. */
function phoneNumbers(): PhoneNumbers {
  const loaded: PhoneNumbers = createRequire(import.meta.url)('libphonenumber-js')
  return loaded
}

function countryOf(locale: string, { isSupportedCountry }: PhoneNumbers): CountryCode | undefined {
  const [language = '', region = ''] = locale.split('-')
  return isSupportedCountry(region) ? region : COUNTRY_OF[language]
}

/**
 * Returns a phone number in E.164; `undefined` for an invalid one. Local numbers have the site's
 * country.
 */
export function parsePhone(text: string, locale: string): string | undefined {
  const numbers = phoneNumbers()
  const phone = numbers.parsePhoneNumberFromString(text, countryOf(locale, numbers))
  return phone?.isValid() ? phone.number : undefined
}

/** Returns the first phone number in a text: in E.164, and as the text spells it. */
export function findPhone(
  text: string,
  locale: string,
): { number: string; text: string } | undefined {
  if (text.replaceAll(/\D/g, '').length < MIN_DIGITS) return undefined
  const numbers = phoneNumbers()
  const country = countryOf(locale, numbers)
  const found = numbers.findPhoneNumbersInText(text, country)
  const [first] = found
  return first && { number: first.number.number, text: text.slice(first.startsAt, first.endsAt) }
}

/** Returns an e-mail address in lower case; `undefined` for an invalid one. */
export function parseEmail(text: string): string | undefined {
  return Email.safeParse(text.trim().toLowerCase()).data
}
