import { z } from 'zod'
import { IsoTime } from '../http/pagination.ts'

/** The outcome of one request to a receiver. */
export const AttemptOutcome = z.object({
  status: z
    .int()
    .nullable()
    .meta({
      description: 'The HTTP status; null without a response within 10 s.',
      examples: [200],
    }),
  error: z
    .string()
    .nullable()
    .meta({
      description:
        'The reason for a missing status: `timeout`, `connection_refused`, `connection_reset`, `connection_failed`, ' +
        '`tls_failed`, `bad_answer` or `address_not_allowed`; null with a status.',
    }),
  latency_ms: z.int().nullable().meta({
    description:
      'From the start of the attempt to the status or the failure, in milliseconds; null for an address that is not allowed.',
  }),
})

/** One attempt and its outcome. */
export const Attempt = AttemptOutcome.extend({
  number: z
    .int()
    .meta({ description: 'The number of the attempt, from 1, over all cycles of this delivery.' }),
  at: IsoTime.meta({ description: 'When it started.' }),
  answer: z.string().nullable().meta({
    description:
      'The first KiB of the answer, made safe to show: angle brackets and control characters are replaced.',
  }),
})
export type Attempt = z.infer<typeof Attempt>
