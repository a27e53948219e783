import { type Figure, stored } from '../report/figure.ts'
import type { Report } from './harness.ts'

/** Wall time and this process's own processor time of some work. */
export interface Took {
  seconds: number
  cpuSeconds: number
}

/** Returns the figures under a database's name, with the faster one of the bare loops as the floor of rates. */
export function besideFloor(name: string, figures: readonly Figure[]): Figure[] {
  const isBare = ({ id }: Figure) => id.startsWith('bare.')
  const ratesOf = (id: string) => figures.filter((figure) => figure.id === id)
  const floorOf = (id: string) => {
    const values = ratesOf(`bare.${id}`).flatMap(({ value }) => value ?? [])
    return id === 'rate' ? Math.max(...values) : Math.min(...values)
  }
  return figures
    .filter((figure) => !isBare(figure))
    .map((figure) => {
      const floor = floorOf(figure.id.split('.').at(-1) ?? '')
      return {
        ...figure,
        id: `${name.toLowerCase()}.${figure.id}`,
        label: `${name}: ${figure.label}`,
        ...(Number.isFinite(floor) ? { floor } : {}),
      }
    })
}

/** Returns the rate, and the processor time of this process for each delivery. */
export function speedFigures(
  id: string,
  label: string,
  count: number,
  { seconds, cpuSeconds }: Took,
  minRate?: number,
): Figure[] {
  return [
    {
      id: `${id}.rate`,
      label,
      value: stored(count / seconds),
      unit: '/s',
      better: 'higher',
      ...(minRate === undefined ? {} : { target: { of: 'value', bound: minRate } }),
    },
    {
      id: `${id}.cpu`,
      label: `${label}, processor time of each`,
      value: stored((cpuSeconds / count) * 1e6),
      unit: 'µs',
      better: 'lower',
    },
  ]
}

export function delayFigures(
  id: string,
  label: string,
  delays: readonly number[],
  maxP99?: number,
): Figure[] {
  return [0.5, 0.99].map((share) => ({
    id: `${id}.p${share * 100}`,
    label: `${label}, p${share * 100}`,
    value: stored(delays[Math.floor(delays.length * share)] ?? 0),
    unit: 'ms',
    better: 'lower',
    ...(share === 0.99 && maxP99 !== undefined ? { target: { of: 'value', bound: maxP99 } } : {}),
  }))
}

/** Formats the rate and the processor time per delivery: this process, the receiver, Postgres. */
export function speed(
  count: number,
  { seconds, cpuSeconds }: Took,
  { receiver, database }: Report['cpu'],
) {
  const [own, theirs, servers] = [cpuSeconds, receiver, database].map((used) =>
    ((used / count) * 1e6).toFixed(0),
  )
  const beside = database > 0 ? `${theirs} receiver, ${servers} Postgres` : `${theirs} receiver`
  return `${(count / seconds).toFixed(0)}/s, processor time each ${own} µs (${beside})`
}

export function quantile(sorted: readonly number[], share: number): string {
  return (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)
}

export function quantiles(sorted: readonly number[]): string {
  return `p50 ${quantile(sorted, 0.5)} ms, p99 ${quantile(sorted, 0.99)} ms, of ${sorted.length}`
}
