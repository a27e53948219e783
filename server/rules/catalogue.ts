import { z } from 'zod'
import { SAMPLE_TIME } from '../events/descriptor.ts'
import { EVENTS } from '../events/registry.ts'
import type { CatalogueEntry, RuleEvent } from './schema.ts'

/** Returns an event of the catalogue, with a sample of the body. */
export function catalogueEntry(event: RuleEvent): CatalogueEntry {
  const { data, sample, rulePriority } = EVENTS[event]
  return {
    event,
    priority: rulePriority,
    schema: z.toJSONSchema(data),
    sample: {
      event,
      webhook_id: 'wh_2NbYt6QxZk9RwLs4VfHcJm',
      timestamp: SAMPLE_TIME,
      data: sample,
      signature: `sha256=${'0'.repeat(64)}`,
    },
  }
}
