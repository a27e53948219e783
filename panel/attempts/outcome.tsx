import type { VNode } from 'preact'
import type { z } from 'zod'
import type { AttemptOutcome } from '../../server/delivery/schema.ts'
import { useApp } from '../app/app-context.ts'
import type { AttemptWords } from '../locales/en/parts/attempts.ts'
import { Badge } from '../ui/page.tsx'

type Outcome = z.infer<typeof AttemptOutcome>

/** Returns what came of a request: its status, or why there is none. */
export function outcomeText(
  { status, error }: Pick<Outcome, 'status' | 'error'>,
  words: AttemptWords,
) {
  if (status !== null) return `HTTP ${status}`
  return words.errors[error ?? ''] ?? error ?? '–'
}

export function OutcomeBadge({ outcome, words }: { outcome: Outcome; words: AttemptWords }): VNode {
  const { format } = useApp()
  const { status, latency_ms: latency } = outcome
  const isGood = status !== null && status >= 200 && status < 300
  return (
    <span class="row">
      <Badge tone={isGood ? 'good' : 'wrong'}>{outcomeText(outcome, words)}</Badge>
      {latency !== null && (
        <span class="soft small number">{`${format.value.number(latency)} ms`}</span>
      )}
    </span>
  )
}
