/**
 * Why an address was not read, as a sentence for the person who wants it read. `gone`: it must not
 * or cannot be read, and what was read before is dropped. `later`: it may work another time.
 */
export class FetchError extends Error {
  override name = 'Unreachable'
  readonly kind: 'gone' | 'later'
  /** What the site answered, where it answered. */
  readonly status: number | undefined

  constructor(
    kind: 'gone' | 'later',
    sentence: string,
    options: { status?: number; cause?: unknown } = {},
  ) {
    super(sentence, { cause: options.cause })
    this.kind = kind
    this.status = options.status
  }
}

const NOT_FOUND = 'The site was not found, or its address is not a public one.'
const SENTENCES: Record<string, string> = {
  address_not_allowed: NOT_FOUND,
  ECONNREFUSED: 'The site refuses connections.',
  ECONNRESET: 'The site broke the connection off.',
  UND_ERR_SOCKET: 'The site broke the connection off.',
  ETIMEDOUT: 'The site took too long to answer.',
  UND_ERR_CONNECT_TIMEOUT: 'The site took too long to answer.',
  UND_ERR_HEADERS_TIMEOUT: 'The site took too long to answer.',
  UND_ERR_BODY_TIMEOUT: 'The site took too long to answer.',
}

/** What a failed connection means, without a word about any internal network. */
export function errorSentence(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) {
    return 'The certificate of the site is not valid.'
  }
  if (/^(?:Z_|ERR_BROTLI|ERR__ERROR)/.test(code)) return 'The answer of the site is damaged.'
  return SENTENCES[code] ?? 'The site did not answer as a website does.'
}
