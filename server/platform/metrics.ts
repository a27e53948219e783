import { Gauge } from 'prom-client'
import type { Context } from '../context.ts'

/** Exposes the event streams that are open on this process. */
export function exposeStreams({ metrics, streams }: Pick<Context, 'metrics' | 'streams'>): void {
  const open = new Gauge({
    name: 'sohbet_event_streams_open',
    help: 'Event streams open on this process, by kind (live, answer) and reader (visitor, member)',
    labelNames: ['kind', 'reader'],
    registers: [metrics],
    collect() {
      for (const { kind, reader, count } of streams.counts()) open.set({ kind, reader }, count)
    },
  })
}
