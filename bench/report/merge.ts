import type { Figure, Machine, Part, Report } from './figure.ts'

/** Figures of two runs that differ by less are the same: the machine's speed varies over time. */
export const NOISE = 0.2

/** The outcome of a part that was run now. */
export interface Outcome {
  name: string
  seconds: number
  figures: readonly Figure[]
  failed?: string
}

/** The circumstances of a run. */
export interface Run {
  date: string
  commit: string
  machine: Machine
  versions: Record<string, string>
}

/** A figure that differs from the stored one by more than the noise. */
export interface Change {
  part: string
  figure: Figure
  /** The new figure divided by the old one, each as a ratio to its floor where both have one. */
  ratio: number
  isBetter: boolean
}

/**
 * Returns the stored report with the outcomes of a run in place of the parts' old figures, each with the value
 * before. A part that failed keeps its old figures and the reason.
 */
export function mergeReport(
  before: Report | undefined,
  run: Run,
  outcomes: readonly Outcome[],
): Report {
  const parts = { ...before?.parts }
  for (const { name, seconds, figures, failed } of outcomes) {
    const old = parts[name]
    const origin = { date: run.date, commit: run.commit, cpu: run.machine.cpu }
    parts[name] =
      failed === undefined
        ? { ...origin, seconds, figures: figures.map((figure) => withPrevious(figure, old)) }
        : { ...(old ?? { ...origin, seconds, figures: [] }), failed }
  }
  const { date, machine, versions } = run
  return { date, machine, versions, parts }
}

function withPrevious(figure: Figure, old: Part | undefined): Figure {
  const before = old?.figures.find(({ id }) => id === figure.id)
  if (!before) return figure
  const { value, floor } = before
  return { ...figure, previous: { value, ...(floor === undefined ? {} : { floor }) } }
}

/** Returns the figures of the named parts that changed by more than the noise, the largest change first. */
export function changesOf(report: Report, names: readonly string[]): Change[] {
  const changes = names.flatMap((part) =>
    (report.parts[part]?.figures ?? []).flatMap((figure): Change[] => {
      const ratio = ratioToPrevious(figure)
      if (ratio === undefined || (ratio <= 1 + NOISE && ratio >= 1 / (1 + NOISE))) return []
      return [{ part, figure, ratio, isBetter: ratio > 1 === (figure.better === 'higher') }]
    }),
  )
  const size = ({ ratio }: Change) => Math.abs(Math.log(ratio))
  return changes.toSorted((one, other) => size(other) - size(one))
}

/** Returns the ratio of a figure to its previous value; undefined for a figure that is new. */
export function ratioToPrevious({ value, floor, previous }: Figure): number | undefined {
  if (!previous) return undefined
  if (value === previous.value) return 1
  const now = value ?? Infinity
  const then = previous.value ?? Infinity
  // A share of the floor has the machine's speed on both sides.
  const share = floor && previous.floor ? previous.floor / floor : 1
  return (now / then) * share
}
