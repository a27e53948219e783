import type { Context, Transaction } from '../context.ts'
import type { WebhookKind, SigningSecrets } from './signature.ts'

/** The target of deliveries, as read for an attempt. */
export interface Endpoint {
  id: string
  url: string
  secrets: SigningSecrets
  /** Deliveries to an inactive endpoint are paused. */
  isActive: boolean
}

/** Gives the delivery worker the endpoints of a webhook kind; implemented by the owning slice. */
export interface EndpointSource {
  /** Returns the existing endpoints; deliveries to any other are cancelled. */
  find(ctx: Context, ids: readonly string[]): Promise<Endpoint[]>
  /**
   * Disables an endpoint that responded with 410 or whose last retry failed. Runs once per batch of
   * outcomes, so that it must be idempotent and record only a change of state. Returns true when the
   * endpoint is inactive from now on: its queued deliveries are then paused.
   */
  disable?(tx: Transaction, id: string, why: 'gone' | 'exhausted'): Promise<boolean>
  /** Counts the endpoints that the service disabled, for the operator's metrics. */
  countDisabled?(ctx: Context): Promise<number>
}

export type EndpointSources = Partial<Record<WebhookKind, EndpointSource>>

/** Reads the endpoints of some deliveries, by id; a deleted endpoint is left out. */
export async function findEndpoints(
  ctx: Context,
  sources: EndpointSources,
  deliveries: readonly { family: WebhookKind; endpoint_id: string }[],
): Promise<Map<string, Endpoint>> {
  const found = new Map<string, Endpoint>()
  for (const [family, own] of Map.groupBy(deliveries, (delivery) => delivery.family)) {
    const ids = new Set(own.map((delivery) => delivery.endpoint_id))
    const endpoints = (await sources[family]?.find(ctx, [...ids])) ?? []
    for (const endpoint of endpoints) found.set(endpoint.id, endpoint)
  }
  return found
}
