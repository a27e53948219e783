import { HOSTILE_TEXTS } from '../../helpers/hostile/texts.ts'
import { expect, OPERATOR_TOKEN, type Product } from '../fixtures.ts'

export const TENANT = 'hostile-shop'
export const NAME = '"><img src=x onerror=pwn()><script>pwn()</script>'
const HOURS = [{ from: '00:00', to: '23:59' }]
const WEEK = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** A site all of whose texts are hostile, and calls as its owner, whose plan knows no limits. */
export interface Shop {
  token: string
  call<Body>(path: string, body?: object | FormData, token?: string): Promise<Body>
}

/** Opens the site's workspace and fills it. */
export async function openShop({ url }: Product): Promise<Shop> {
  const shop: Shop = {
    token: OPERATOR_TOKEN,
    async call(path, body, token = shop.token) {
      const isForm = body instanceof FormData
      const response = await fetch(url + path, {
        method: body ? 'POST' : 'GET',
        headers: {
          Authorization: `Bearer ${token}`,
          ...(body && !isForm ? { 'Content-Type': 'application/json' } : {}),
        },
        ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${path}: ${text}`)
      // Nothing but pages is ever read as one.
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('content-type')).not.toContain('html')
      return JSON.parse(text)
    },
  }
  const owner = { email: 'hostile@example.com', name: NAME, password: 'a long password' }
  const workspace = { name: NAME, plan: 'enterprise', locale: 'en', owner }
  await shop.call('/api/v1/operator/workspaces', workspace)
  const { email, password } = owner
  const signedIn = await shop.call<{ access_token: string }>('/api/v1/auth/token', {
    email,
    password,
  })
  shop.token = signedIn.access_token
  await shop.call('/api/v1/tenants', {
    tenant_id: TENANT,
    name: NAME,
    locale: 'en',
    greeting: HOSTILE_TEXTS.join(' ').slice(0, 500),
    quick_replies: HOSTILE_TEXTS.slice(0, 6),
    slot_minutes: 5,
    office_hours: Object.fromEntries(WEEK.map((day) => [day, HOURS])),
    forms: {
      lead: { consent_text: NAME },
      appointment: { services: [{ name: NAME, minutes: 5 }] },
    },
  })
  return shop
}

/** A visitor of the site, as the widget would remember them. */
export async function addVisitor(shop: Shop): Promise<{ token: string; session: string }> {
  const tenant_id = TENANT
  const visitor = await shop.call<{ access_token: string }>('/api/v1/auth/visitor', { tenant_id })
  const token = visitor.access_token
  const { session_id: session } = await openSession(shop, token)
  return { token, session }
}

/** Begins a conversation. */
export const openSession = (shop: Shop, token?: string) =>
  shop.call<{ session_id: string }>('/api/v1/chatbot/sessions', { tenant_id: TENANT }, token)
