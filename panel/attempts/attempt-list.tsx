import type { VNode } from 'preact'
import type { Attempt } from '../../server/delivery/schema.ts'
import { useApp } from '../app/app-context.ts'
import type { AttemptWords } from '../locales/en/parts/attempts.ts'
import { OutcomeBadge } from './outcome.tsx'
import './attempts.css'

/** The attempts of a request, each with its time, status, latency and answer. */
export function AttemptList({
  attempts,
  words,
}: {
  attempts: readonly Attempt[]
  words: AttemptWords
}): VNode {
  const { format } = useApp()
  if (attempts.length === 0) return <p class="soft">{words.none}</p>
  return (
    <ol class="stack tight">
      {attempts.map((attempt) => (
        <li key={attempt.number} class="attempt">
          <div class="row between">
            <span class="soft small">
              {`${format.value.number(attempt.number)}. ${format.value.dateTime(attempt.at)}`}
            </span>
            <OutcomeBadge outcome={attempt} words={words} />
          </div>
          <AnswerText text={attempt.answer} words={words} />
        </li>
      ))}
    </ol>
  )
}

/** The beginning of what a receiver answered; nothing for an empty answer. */
export function AnswerText({
  text,
  words,
}: {
  text: string | null
  words: AttemptWords
}): VNode | null {
  if (text === null || text === '') return null
  return (
    <pre class="answer" aria-label={words.answer}>
      {text}
    </pre>
  )
}
