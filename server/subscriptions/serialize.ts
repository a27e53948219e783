import { z } from 'zod'
import { isoTime } from '../http/pagination.ts'
import { PlatformEvent, type Subscription } from './schema.ts'
import type { SubscriptionRow } from './store.ts'

const StoredEvents = z.array(PlatformEvent)

/** Parses the events of a subscription. */
export function eventsOf(row: SubscriptionRow): PlatformEvent[] {
  return StoredEvents.parse(JSON.parse(row.events))
}

/** Serializes a subscription for its workspace, without secrets. */
export function serializeSubscription(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    url: row.url,
    events: eventsOf(row),
    active: row.switched_off_at === null,
    state: row.disabled_at === null ? 'active' : 'disabled',
    disabled_reason: row.disabled_reason,
    disabled_at: row.disabled_at === null ? null : isoTime(row.disabled_at),
    ping:
      row.pinged_at === null
        ? null
        : { status: row.ping_status, error: row.ping_error, latency_ms: row.ping_latency_ms },
    created_at: isoTime(row.created_at),
  }
}
