import type { Context, Transaction } from '../context.ts'
import type { WebhookKind, SigningSecrets } from './signature.ts'

/** Where deliveries go, as it is at the moment of an attempt. */
export interface Endpoint {
  id: string
  url: string
  secrets: SigningSecrets
  /** Deliveries to an inactive endpoint are held. */
  isActive: boolean
}

/** What the engine must know of a family's endpoints, given by the slice that owns them. */
export interface EndpointSource {
  /** The endpoints that exist; deliveries to any other are cancelled. */
  find(ctx: Context, ids: readonly string[]): Promise<Endpoint[]>
  /**
   * Called when an endpoint asked for no more (410) or its last retry failed; once more for each
   * batch in which that happens, so that only a change of its state may be noted. True when it
   * takes no deliveries from now on: what waits for it is then held.
   */
  giveUp?(tx: Transaction, id: string, why: 'gone' | 'exhausted'): Promise<boolean>
  /** How many endpoints the service disabled, for the operator's metrics. */
  countDisabled?(ctx: Context): Promise<number>
}

export type EndpointSources = Partial<Record<WebhookKind, EndpointSource>>

/** The endpoints of some deliveries by their id; one that is gone is left out. */
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
