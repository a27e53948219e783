/** A piece of HTML that is safe to send: everything that was put into it is escaped. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Piece = string | number | Markup | readonly Markup[]

/** HTML with values: text is escaped, other markup goes in as it is. */
export function html(parts: TemplateStringsArray, ...values: readonly Piece[]): Markup {
  const text = parts.map((part, index) => part + joinMarkup(values[index] ?? '')).join('')
  return new Markup(text)
}

function joinMarkup(value: Piece): string {
  if (value instanceof Markup) return value.text
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value))
  return value.map(({ text }) => text).join('')
}

/** Text as it may stand in HTML, in an attribute between double quotes too. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
