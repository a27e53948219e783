import type { z } from 'zod'

export const PRIORITIES = ['info', 'medium', 'high', 'critical'] as const
export type Priority = (typeof PRIORITIES)[number]

/** The time in the samples of events. */
export const SAMPLE_TIME = '2026-11-21T09:30:00.000Z'

/** The webhooks that carry an event; an event without either stays inside the product. */
interface Audience {
  /** Its priority in the catalogue of webhook rules; rules send the event under its own name. */
  rulePriority?: Priority
  /** The name under which webhook subscriptions send the event. */
  publicName?: string
}

/** Describes an event that webhooks carry: the schema of its data, a sample, and its audience. */
export function publicEvent<Data extends z.ZodType, const To extends Audience>(
  { data, sample }: { data: Data; sample: NoInfer<z.output<Data>> },
  audience: To,
) {
  return { data, sample, ...audience }
}
