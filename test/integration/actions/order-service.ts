import { createHmac } from 'node:crypto'
import { SignJWT } from 'jose'
import type { CreatedAction } from '../../../server/actions/schema.ts'
import type { Turn } from '../../../server/chat/schema.ts'
import type { Problem } from '../../helpers/answers.ts'
import type { TestProduct, TestWorkspace } from '../../helpers/product.ts'
import type { Answer, Received, Receiver } from '../../helpers/servers/receiver.ts'

export const PRIVATE = { ALLOW_PRIVATE_TARGETS: 'true' }

/** The origin of a receiver, without its path. */
export const originOf = ({ port }: Pick<Receiver, 'port'>): string => `http://127.0.0.1:${port}`

export const json = (body: unknown, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

export const INPUTS = {
  type: 'object',
  properties: { order_id: { type: 'string', pattern: '^[A-Z]{0,2}-?[0-9]{4,8}$', title: 'order' } },
  required: ['order_id'],
}

/** “Where is my order?”, in four languages. */
export function orderStatus(origin: string, more: object = {}): Record<string, unknown> {
  return {
    name: 'Order status',
    when: 'The visitor asks where an order is.',
    triggers: {
      tr: ['siparişim nerede', 'kargom ne zaman gelir'],
      en: ['where is my order', 'track my order'],
      de: ['wo ist meine Bestellung'],
      ar: ['أين طلبي'],
    },
    inputs_schema: INPUTS,
    questions: {
      order_id: {
        tr: 'Sipariş numaranız nedir?',
        en: 'What is your order number?',
        de: 'Wie lautet Ihre Bestellnummer?',
        ar: 'ما رقم طلبك؟',
      },
    },
    url: `${origin}/orders/{order_id}?lang=en`,
    headers: { Authorization: 'Bearer the-key-of-the-shop' },
    answer: {
      fields: { status: '/order/status', eta: '/order/eta' },
      say: {
        tr: 'Siparişiniz: {{status}}, tahmini teslim {{eta}}.',
        en: 'Your order is {{status}}, expected {{eta}}.',
        de: 'Ihre Bestellung: {{status}}, erwartet {{eta}}.',
        ar: 'حالة طلبك: {{status}}، الموعد {{eta}}.',
      },
    },
    active: true,
    ...more,
  }
}

/** An action that changes something. */
export function orderCancellation(origin: string, more: object = {}): Record<string, unknown> {
  return orderStatus(origin, {
    name: 'Cancel an order',
    when: 'The visitor wants to cancel an order.',
    triggers: { en: ['cancel my order'], tr: ['siparişimi iptal et'] },
    method: 'POST',
    url: `${origin}/cancellations`,
    body: { order: { id: '{order_id}' }, by: 'chat' },
    answer: { say: { en: 'Your order was cancelled.', tr: 'Siparişiniz iptal edildi.' } },
    ...more,
  })
}

export async function addAction(
  product: TestProduct,
  { token, tenantId }: TestWorkspace,
  body: Record<string, unknown>,
): Promise<CreatedAction> {
  const made = await product.call<CreatedAction>(`/api/v1/tenants/${tenantId}/actions`, {
    token,
    body,
  })
  if (made.status !== 201) throw new Error(`The action was not added: ${made.text}`)
  return made.body
}

/** Somebody who talks with a site, one message after the other. */
export interface Talk {
  say(text: string, requestId?: string): Promise<Turn['reply']>
  turn(text: string, requestId?: string): Promise<Turn & Problem>
}

export function talkOf(
  product: Pick<TestProduct, 'call'>,
  { tenantId }: TestWorkspace,
  token: string,
  locale = 'en',
): Talk {
  let session: string | undefined
  const turn = async (message: string, requestId?: string) => {
    const { body } = await product.call<Turn & Problem>('/api/v1/chatbot/message', {
      token,
      headers: requestId === undefined ? {} : { 'x-request-id': requestId },
      body: {
        tenant_id: tenantId,
        message,
        ...(session === undefined ? { locale } : { session_id: session }),
      },
    })
    session ??= body.session_id
    return body
  }
  return { turn, say: async (text, id) => (await turn(text, id)).reply }
}

/** Signs a visitor in, as the site's own server would. */
export async function signIn(
  product: TestProduct,
  { token, tenantId }: TestWorkspace,
  visitor: string,
  sub: string,
): Promise<void> {
  const path = `/api/v1/tenants/${tenantId}/identity-secret`
  const { body } = await product.call<{ identity_secret: string }>(path, { token })
  const signed = await new SignJWT({ sub })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('5m')
    .sign(new TextEncoder().encode(body.identity_secret))
  const said = await product.call('/api/v1/chatbot/identify', {
    token: visitor,
    body: { token: signed },
  })
  if (said.status !== 200) throw new Error(`The visitor was not signed in: ${said.text}`)
}

/** The signatures that a request should have: Standard Webhooks', and the one over all of it. */
export function signaturesOf(secret: string, received: Received | undefined) {
  if (!received) throw new Error('Nothing arrived.')
  const { method, path, headers, body } = received
  const { 'webhook-id': id, 'webhook-timestamp': at } = headers
  const visitor = headers['x-sohbet-visitor'] ?? ''
  const digest = (text: string, form: 'hex' | 'base64') =>
    createHmac('sha256', secret).update(text).digest(form)
  return {
    'webhook-signature': `v1,${digest(`${id}.${at}.${body}`, 'base64')}`,
    'x-sohbet-signature': `sha256=${digest([id, at, method, path, visitor, body].join('\n'), 'hex')}`,
  }
}
