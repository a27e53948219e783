/** A fact that any business is asked for, and that nearly every site says somewhere. */
export type Detail = 'phone' | 'whatsapp' | 'email' | 'address' | 'hours'

/** A phone number of 9 to 14 digits, in a folded text. */
export const PHONE_NUMBER = /(?<![a-z\d])(?:\+|00)?\(?\d(?:[\s()/-]{0,2}\d){8,13}(?!\d)/
/** An address for mail. */
export const EMAIL_ADDRESS = /[\w.+-]+@\w[\w.-]*/
const STREET =
  /(?:cadde|\bcad\b|sokak|sokag(?!in\b)|\bsok\b|mahalle(?!ler)|\bmah\b|\bbulvar|\bmeydan|\bmevki|شارع)[^\n!?|]{0,40}\d+(?![\d.,]* ?(?:metre|m\b|km|dakika|dk\b|adim))|\d\w? (?:(?!(?:stops?|on|and|to|from|of|at|along|in|off|past|is|are|min\w*|bus\w*|met\w*|miles?)\b)[\p{L}'-]+ ){1,3}(?:street|avenue|road|lane|square|boulevard|drive|court|crescent|terrace|mews|quay|gardens)\b|\b[a-z]{1,2}\d[a-z\d]? \d[a-z]{2}\b|(?:strasse|str\.|platz|weg|gasse) \d|\b\d{1,4} (?:triq|rue|via|calle|rua|strada) |(?<!\bsame |\bayni |\bgleichen? |\bmail |\be-?posta |\bmail-?)\b(?:adres(?:imiz)?|address|adresse)\s*:(?!\s*[£€$₺\d])|\bno: ?\d/u
const CLOCK = String.raw`\d{1,2}(?:[.:]\d{2}(?:\s?[ap]\.?m\b\.?)?|\s?(?:[ap]\.?m\b\.?|uhr))`
/** A time that is not a price: `8:30`, `9 p.m.`. */
const PLAIN_CLOCK = String.raw`\d{1,2}(?::\d{2}(?:\s?[ap]\.?m\b\.?)?|\s?(?:[ap]\.?m\b\.?|uhr))`
/** A span of hours: `08.30–21.00`, `9 am to 6 pm`, `10 bis 18 Uhr`, and two columns: `8:30 a.m. — Closes: 9 p.m.`. */
export const HOURS_SPAN = new RegExp(
  [
    String.raw`${CLOCK}\s?(?:[-–—]|to|bis|ile|ve|الي)\s?\d{1,2}`,
    String.raw`\d{1,2}\s?(?:[-–—]|to|bis)\s?${CLOCK}`,
    String.raw`${PLAIN_CLOCK}\s?[—|]\s?(?:[\p{L}' ]{1,24}:\s?)?${PLAIN_CLOCK}`,
    String.raw`(?:acil|open)\w*: ?\d{1,2}\.\d{2} — (?:kapan|clos)\w*: ?\d{1,2}\.\d{2}`,
  ].join('|'),
  'u',
)
/** Whether a business is open, as a sentence says it. */
export const OPEN_OR_CLOSED =
  /acigiz|aciktir|\bacik\b|acilir|kapaliyiz|kapalidir|\bkapali\b|\bopen\b|\bclosed\b|geoffnet|geschlossen|مفتوح|مغلق/

/** That a business is closed on Sundays does not tell when it is open. */
const CLOSED_SHARE = 0.6

const WHATSAPP = /whats?app|واتس/
/** A number may be in WhatsApp without a word of it. */
const PHONE_SHARE = 0.4

/** How much of a detail a folded sentence tells, 0–1. */
export function shareOfDetail(detail: Detail, folded: string): number {
  if (detail === 'phone') return Number(PHONE_NUMBER.test(folded))
  if (detail === 'whatsapp')
    return PHONE_NUMBER.test(folded) ? (WHATSAPP.test(folded) ? 1 : PHONE_SHARE) : 0
  if (detail === 'email') return Number(EMAIL_ADDRESS.test(folded))
  if (detail === 'address') return Number(STREET.test(folded))
  if (HOURS_SPAN.test(folded)) return 1
  return OPEN_OR_CLOSED.test(folded) ? CLOSED_SHARE : 0
}

/** A sum of money, in a folded text. */
export const SUM =
  /(?<!\d)\d[\d.,]*\s?(?:tl|lira|euro?s?|usd|dolar|dollars?|₺|€|\$|£|p\b)|[₺€$£]\s?\d/
