import { z } from 'zod'

/** What is examined, in the order in which it is told. */
export const FINDING_NAMES = [
  'settings',
  'secrets',
  'versions',
  'database',
  'schema',
  'clock',
  'connections',
  'redis',
  'data_dir',
  'disk',
  'mail',
  'model',
  'embeddings',
  'public_url',
  'webhook_targets',
] as const

const FindingState = z.enum(['ok', 'warning', 'error'])

export const Finding = z.object({
  name: z.enum(FINDING_NAMES),
  state: FindingState,
  detail: z.string().describe('What was found; never a secret'),
  remedy: z.string().nullable().describe('What to do; null where nothing is to be done'),
})
export type Finding = z.infer<typeof Finding>

export const Diagnosis = z.object({
  state: FindingState.describe('The worst state of a finding'),
  findings: z.array(Finding),
})
export type Diagnosis = z.infer<typeof Diagnosis>
