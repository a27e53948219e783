/** Why an attempt got no final status. */
export type AttemptError =
  | 'address_not_allowed'
  | 'timeout'
  | 'connection_refused'
  | 'connection_reset'
  | 'connection_failed'
  | 'tls_failed'
  | 'bad_answer'

/** The result of one attempt, as customers may see it. */
export interface AttemptResult {
  /** The final HTTP status, or null without one. */
  status: number | null
  error: AttemptError | null
  /** Until the status or the failure; null where timing would reveal an internal network. */
  latency_ms: number | null
  /** The sanitized first KiB of the response; null without a response. */
  answer: string | null
  retryAfter: string | undefined
}
