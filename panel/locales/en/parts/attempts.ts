const errors: Record<string, string> = {
  timeout: 'No answer in 10 s',
  connection_refused: 'Connection refused',
  connection_reset: 'Connection broken off',
  connection_failed: 'Not reachable',
  tls_failed: 'Certificate not valid',
  bad_answer: 'Not an HTTP answer',
  address_not_allowed: 'Address not allowed',
}

/** Attempts to reach a receiver. */
export const words = {
  title: 'Attempts',
  none: 'None yet.',
  answer: 'Answer',
  errors,
}
export type AttemptWords = typeof words
