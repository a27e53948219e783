import { expect } from 'vitest'
import type { Subscription, SubscriptionDelivery } from '../../../server/subscriptions/schema.ts'
import type { CreatedSubscription, Page } from '../../helpers/answers.ts'
import {
  type Answer,
  addVisitor,
  addWorkspace,
  type TestProduct,
  type TestWorkspace,
} from '../../helpers/product.ts'
import { type Received, type Receiver, startReceiver } from '../../helpers/servers/receiver.ts'

export const BASE = '/api/v1/webhooks'
export const SECRET = 'a secret of at least thirty-two characters'

/** A workspace with a receiver that it can subscribe. */
export interface Subscriber {
  product: TestProduct
  workspace: TestWorkspace
  receiver: Receiver
  call<Body>(path: string, options?: { method?: string; body?: unknown }): Promise<Answer<Body>>
  subscribe(more?: object): Promise<Answer<CreatedSubscription>>
  /** A visitor writes this: the workspace gets a `chatbot.message`. */
  say(message: string): Promise<void>
  sentBy(id: string): Promise<SubscriptionDelivery[]>
  stateOf(id: string): Promise<string>
  /** The received requests that are not pings. */
  events(): Received[]
  /** A new receiver, for the next test. */
  renew(): Promise<void>
  /** Deletes every subscription and closes the receiver. */
  clear(): Promise<void>
}

/** Retries follow within milliseconds. */
export const FAST = { ALLOW_PRIVATE_TARGETS: 'true', DELIVERY_TIME_SCALE: '0.00001' }
/** The first retry is due after hours: what comes earlier was sent by hand. */
export const SLOW = { ...FAST, DELIVERY_TIME_SCALE: '1000' }

/** Opens a workspace that subscribes. */
export async function openSubscriber(product: TestProduct): Promise<Subscriber> {
  const workspace = await addWorkspace(product)
  const visitor = await addVisitor(product, workspace)
  const subscriber: Subscriber = {
    product,
    workspace,
    receiver: await startReceiver(),
    call: (path, options = {}) => product.call(path, { token: workspace.token, ...options }),
    subscribe: (more = {}) => {
      const { url } = subscriber.receiver
      const body = { url, events: ['chatbot.message'], secret: SECRET, ...more }
      return subscriber.call(BASE, { body })
    },
    async say(message) {
      const body = { tenant_id: workspace.tenantId, message }
      const said = await product.call('/api/v1/chatbot/message', { token: visitor, body })
      expect(said.status, said.text).toBe(200)
    },
    sentBy: async (id) =>
      (await subscriber.call<Page<SubscriptionDelivery>>(`${BASE}/${id}/deliveries`)).body.data,
    stateOf: async (id) => (await subscriber.call<Subscription>(`${BASE}/${id}`)).body.state,
    events: () =>
      subscriber.receiver.received.filter((request) => request.headers['x-svc-event'] !== 'ping'),
    async renew() {
      subscriber.receiver = await startReceiver()
    },
    async clear() {
      const { body } = await subscriber.call<Page<Subscription>>(`${BASE}?limit=100`)
      for (const { id } of body.data) {
        await subscriber.call(`${BASE}/${id}`, { method: 'DELETE' })
      }
      await subscriber.receiver.close()
    },
  }
  await subscriber.receiver.close()
  return subscriber
}

/** The first of some requests. */
export function requestOf([request]: readonly Received[]): Received {
  if (!request) throw new Error('Nothing arrived.')
  return request
}

/** The texts of the messages that arrived. */
export function textsOf(requests: readonly Received[]): string[] {
  return requests.map((request) => JSON.parse(request.body).data.text)
}
