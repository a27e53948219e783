import type { Summary } from '../../../server/analytics/schema.ts'
import type { Format } from '../../app/language/format.ts'
import type { Words } from '../../locales/en/reports.ts'

export interface ShownFigure {
  label: string
  shown: string
  /** Against the period before, as a share; null where that had none. */
  change: number | null
  isGood: boolean
}

interface Compared {
  now: Summary
  before: Summary
  cost: number
  costBefore: number
}

/** Returns a share in whole percents; “−0 %” would be neither better nor worse. */
function roundPercent(share: number): number {
  return Math.round(share * 100) / 100 || 0
}

/** Returns the figures of a period as they are shown, each with its change. */
export function figuresOf(report: Compared, words: Words, format: Format): ShownFigure[] {
  const { totals } = report.now
  const { totals: previous } = report.before
  const rate = ({ answered, unanswered }: typeof totals): number | null =>
    answered + unanswered === 0 ? null : answered / (answered + unanswered)
  const seconds = (value: number): string => format.duration(value * 1_000)
  const { number, percent } = format

  function figure(
    label: string,
    [now, before]: [number | null, number | null],
    show: (value: number) => string,
    wantsMore: boolean | undefined = true,
  ): ShownFigure {
    const change = now === null || !before ? null : roundPercent(now / before - 1)
    return {
      label,
      shown: now === null ? '–' : show(now),
      change,
      isGood: change !== null && (wantsMore ? change > 0 : change < 0),
    }
  }

  return [
    figure(words.series.sessions, [totals.sessions, previous.sessions], number),
    figure(words.answeredRate, [rate(totals), rate(previous)], percent),
    figure(words.series.handoffs, [totals.handoffs, previous.handoffs], number, false),
    figure(
      words.firstResponse,
      [totals.first_response_median_seconds, previous.first_response_median_seconds],
      seconds,
      false,
    ),
    figure(words.csat, [totals.csat, previous.csat], percent),
    figure(words.series.leads, [totals.leads, previous.leads], number),
    figure(words.series.appointments, [totals.appointments, previous.appointments], number),
    figure(words.cost, [report.cost, report.costBefore], number, false),
  ]
}
