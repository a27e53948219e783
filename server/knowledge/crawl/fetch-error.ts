/**
 * A fetch that failed. The message is a sentence for the owner of the document. `permanent`: the page
 * must not or cannot be fetched, and its passages are dropped. `transient`: a retry may succeed.
 */
export class FetchError extends Error {
  override name = 'FetchError'
  readonly kind: 'permanent' | 'transient'
  /** Status of the response, if there was one. */
  readonly status: number | undefined

  constructor(
    kind: 'permanent' | 'transient',
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

/** Returns a sentence about a failed connection that reveals nothing of an internal network. */
export function errorSentence(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) {
    return 'The certificate of the site is not valid.'
  }
  if (/^(?:Z_|ERR_BROTLI|ERR__ERROR)/.test(code)) return 'The answer of the site is damaged.'
  return SENTENCES[code] ?? 'The site did not answer as a website does.'
}
