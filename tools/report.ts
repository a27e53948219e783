import { z } from 'zod'
import { AnswerVerdict } from '../server/evaluation/schema.ts'
import { type CountedAnswer, figuresOf } from '../server/evaluation/verdict.ts'

/** A judged answer to one line of the file. */
export interface Result extends CountedAnswer {
  question: string
  wanted: string
  answer: string
}

/** The stored results of a run, as the baseline of the next one. */
export const LastRun = z.object({
  at: z.string(),
  results: z.array(
    z.object({
      question: z.string(),
      wanted: z.string(),
      verdict: AnswerVerdict,
      answer: z.string(),
    }),
  ),
})
export type LastRun = z.infer<typeof LastRun>

const MAX_SHOWN_ANSWER = 160

/** Returns the report of a run as text, and what changed since the last one. */
export function reportOf(results: readonly Result[], last: LastRun | undefined): string {
  const figures = figuresOf(results)
  const total = results.length
  const line = (name: string, count: number) =>
    `${name.padEnd(10)}${String(count).padStart(5)}  ${percent(count, total)}`
  return [
    line('right', figures.right),
    line('partly', figures.partly),
    line('refused', figures.refused),
    line('wrong', figures.wrong),
    '',
    figures.hit_rate === null
      ? 'hit rate  no question that the documents answer'
      : `hit rate  ${percent(figures.hit_rate, 1)} of the answerable questions found their passage`,
    `cost      ${figures.credits_used} credits for ${total} questions`,
    '',
    'confidence   answers  right',
    ...figures.calibration.map(
      ({ from, to, answers, right }) =>
        `${from.toFixed(2)}–${to.toFixed(2)}   ${String(answers).padStart(6)}  ${
          answers === 0 ? '    –' : percent(right, answers)
        }`,
    ),
    ...missesOf(results),
    ...changesOf(results, last),
    '',
  ].join('\n')
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1e-9, whole)).toFixed(0)} %`.padStart(5)
}

function missesOf(results: readonly Result[]): string[] {
  const misses = results.filter(({ verdict }) => verdict !== 'right')
  if (misses.length === 0) return []
  return [
    '',
    'not right:',
    ...misses.flatMap(({ verdict, question, wanted, answer }) => [
      `- ${verdict}: ${question}`,
      `  wanted: ${wanted}`,
      `  answer: ${clip(answer)}`,
    ]),
  ]
}

function changesOf(results: readonly Result[], last: LastRun | undefined): string[] {
  if (!last) return ['', 'This is the first run: the next one says what changed.']
  const before = new Map(last.results.map((each) => [each.question, each]))
  const changes = results.flatMap(({ question, verdict, answer }) => {
    const earlier = before.get(question)
    if (!earlier) return [`- new: ${question} (${verdict})`]
    if (earlier.verdict !== verdict) return [`- ${earlier.verdict} → ${verdict}: ${question}`]
    return earlier.answer === answer ? [] : [`- another answer, still ${verdict}: ${question}`]
  })
  const asked = new Set(results.map(({ question }) => question))
  const gone = last.results.filter(({ question }) => !asked.has(question))
  const lines = [...changes, ...gone.map(({ question }) => `- no longer asked: ${question}`)]
  return lines.length === 0
    ? ['', `Nothing changed since ${last.at}.`]
    : ['', `changed since ${last.at}:`, ...lines]
}

function clip(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length <= MAX_SHOWN_ANSWER ? line : `${line.slice(0, MAX_SHOWN_ANSWER)}…`
}
