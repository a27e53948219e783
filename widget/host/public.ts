/** The visitor, as a page may name them. `token` is a JWT signed by the site's server. */
export interface Identity {
  name?: string
  email?: string
  phone?: string
  token?: string
}

/** Events a page can listen to with `Sohbet.on`, and the arguments of their listeners. */
export interface Events {
  ready: undefined
  opened: undefined
  closed: undefined
  'message:sent': { message_id: string; text: string }
  'message:received': { message_id: string; text: string }
  unread: { count: number }
  error: { code: string }
}
