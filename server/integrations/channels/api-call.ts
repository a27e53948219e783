/** The stored settings of an integration that may be read again. */
export type ChannelSettings = Readonly<Record<string, string>>

/** One call of a provider's API. The URL may hold a token: it is never logged or shown. */
export interface ApiCall {
  url: string
  headers: Record<string, string>
  /** Sent as JSON; a call without a body is a GET. */
  body?: Record<string, unknown>
}

/** The account that calls of a provider's API speak for. */
export interface Account {
  settings: ChannelSettings
  token: string
}
