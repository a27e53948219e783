import type { Registry } from 'prom-client'
import { CounterFamily, metricsOf } from '../../../lib/instruments.ts'

/** How a model's answer came through the check of its statements. */
export type CheckResult = 'passed' | 'corrected' | 'replaced'

class AnswerChecks {
  readonly #answers: CounterFamily<'result'>

  constructor(registry: Registry) {
    this.#answers = new CounterFamily(registry, {
      name: 'sohbet_answer_checks_total',
      help: 'Answers of models by the result of their check: passed, corrected or replaced',
      labels: ['result'],
    })
  }

  count(result: CheckResult): void {
    this.#answers.series({ result }).add()
  }
}

/** The checks of answers, counted by result. */
export const answerChecks = metricsOf((registry) => new AnswerChecks(registry))
