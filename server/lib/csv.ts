/** The first characters of a spreadsheet formula, wide forms included (OWASP, "CSV Injection"). */
const FORMULA = /^\s*[=+\-@\t\r\n＝＋－＠]/u
/**
 * A phone number in E.164 is a sign and digits: read as a formula, it is that number. It is quoted,
 * because LibreOffice can take quoted cells for text, and a number would lose its plus sign.
 */
const PHONE = /^\+[1-9]\d{6,14}$/
const NEEDS_QUOTES = /[",;\r\n]|^\s|\s$/

/**
 * One line of CSV with its line end (RFC 4180). A text that a spreadsheet would run as a formula
 * gets an apostrophe before it; numbers and phone numbers do not. `null` and `undefined` are empty.
 */
export function csvLine(cells: readonly (string | number | null | undefined)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(value: string | number | null | undefined): string {
  if (typeof value === 'number') return String(value)
  if (!value) return ''
  if (PHONE.test(value)) return `"${value}"`
  const safe = FORMULA.test(value) ? `'${value}` : value
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
