/** An id such as `req_0V9gX…`, or a token of at least 32 characters. */
const ID_OR_TOKEN = /\b[a-z]{2,4}_[\dA-Za-z]{29}\b|[\w-]{32,}/g
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g

/**
 * A response's text without its ids, tokens and times: any short word or number may stand in
 * those by chance, and a test of what a text leaves out would fail once in some hundred runs.
 */
export function withoutRandomParts(text: string): string {
  return text.replaceAll(TIME, '').replaceAll(ID_OR_TOKEN, '')
}
