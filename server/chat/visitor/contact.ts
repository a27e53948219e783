import { createRequire } from 'node:module'
import type { CountryCode } from 'libphonenumber-js'
import { z } from 'zod'

/** Where a phone number without a country code is from, by the language of the site. */
const COUNTRY_OF: Record<string, CountryCode> = { tr: 'TR', de: 'DE' }
const MIN_DIGITS = 7
const Email = z.email().max(254)

export const PHONE_FAULT = 'must be a phone number, like +90 532 123 45 67'
export const EMAIL_FAULT = 'must be an e-mail address'

type PhoneNumbers = typeof import('libphonenumber-js')

/** The world's numbering plans take 5 MB: loaded with the first number, and kept by Node. */
function phoneNumbers(): PhoneNumbers {
  const loaded: PhoneNumbers = createRequire(import.meta.url)('libphonenumber-js')
  return loaded
}

function countryOf(locale: string, { isSupportedCountry }: PhoneNumbers): CountryCode | undefined {
  const [language = '', region = ''] = locale.split('-')
  return isSupportedCountry(region) ? region : COUNTRY_OF[language]
}

/** A phone number in E.164; `undefined` for what is none. It may be local to the site's country. */
export function parsePhone(text: string, locale: string): string | undefined {
  const numbers = phoneNumbers()
  const phone = numbers.parsePhoneNumberFromString(text, countryOf(locale, numbers))
  return phone?.isValid() ? phone.number : undefined
}

/** The first phone number within a text: in E.164, and as it is written there. */
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

/** An e-mail address in lower case; `undefined` for what is none. */
export function parseEmail(text: string): string | undefined {
  return Email.safeParse(text.trim().toLowerCase()).data
}
