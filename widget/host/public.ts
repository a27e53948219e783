/** What a page may tell about its visitor. `token` is a JWT signed by the site's server. */
export interface Identity {
  name?: string
  email?: string
  phone?: string
  token?: string
}

/** Events a page can listen to with `Sohbet.on`, and what their listeners receive. */
export interface Events {
  ready: undefined
  opened: undefined
  closed: undefined
  'message:sent': { message_id: string; text: string }
  'message:received': { message_id: string; text: string }
  unread: { count: number }
  error: { code: string }
}
