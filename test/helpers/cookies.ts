/** A `Set-Cookie` header, parsed. */
export interface SetCookie {
  value: string
  /** Attributes in lower case, such as `httponly` and `path=/`. */
  attributes: string[]
}

/** Returns the cookies that a response sets, by name. */
export function cookiesOf(headers: Headers): Map<string, SetCookie> {
  return new Map(
    headers.getSetCookie().map((line) => {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
      const at = pair.indexOf('=')
      return [
        pair.slice(0, at),
        { value: pair.slice(at + 1), attributes: attributes.map((each) => each.toLowerCase()) },
      ]
    }),
  )
}
