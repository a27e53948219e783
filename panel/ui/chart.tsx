import type { VNode } from 'preact'
import { useApp } from '../app/app-context.ts'

export interface Point {
  label: string
  value: number
  /** The value of the period before. */
  before?: number
}

const WIDTH = 600
const HEIGHT = 160
const MARGIN = 20

/** A line or bar chart of at most a few hundred points; `label` says what it shows. */
export function Chart({
  points,
  kind = 'line',
  label,
}: {
  points: readonly Point[]
  kind?: 'line' | 'bar'
  label: string
}): VNode {
  const { format } = useApp()
  const highest = Math.max(1, ...points.flatMap(({ value, before = 0 }) => [value, before]))
  const step = WIDTH / Math.max(1, points.length - (kind === 'line' ? 1 : 0))
  const y = (value: number): number => HEIGHT - (value / highest) * (HEIGHT - MARGIN)
  const path = (pick: (point: Point) => number): string =>
    points.map((point, at) => `${at === 0 ? 'M' : 'L'}${at * step} ${y(pick(point))}`).join('')
  const hasBefore = points.some(({ before }) => before !== undefined)
  const first = points[0]
  const last = points.at(-1)
  return (
    <figure>
      <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT + MARGIN}`} role="img" aria-label={label}>
        <line class="axis" x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
        <text x="0" y="10">
          {format.value.number(highest)}
        </text>
        {kind === 'bar' ? (
          points.map((point, at) => (
            <rect
              key={point.label}
              class="bar"
              x={at * step + step * 0.15}
              y={y(point.value)}
              width={step * 0.7}
              height={HEIGHT - y(point.value)}
              rx="2"
            >
              <title>{`${point.label}: ${format.value.number(point.value)}`}</title>
            </rect>
          ))
        ) : (
          <>
            <path
              class="area"
              d={`${path((point) => point.value)}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`}
            />
            {hasBefore && <path class="before" d={path((point) => point.before ?? 0)} />}
            <path class="line" d={path((point) => point.value)} />
          </>
        )}
        {first && (
          <text x="0" y={HEIGHT + 16}>
            {first.label}
          </text>
        )}
        {last && last !== first && (
          <text x={WIDTH} y={HEIGHT + 16} text-anchor="end">
            {last.label}
          </text>
        )}
      </svg>
      <table class="visually-hidden">
        <caption>{label}</caption>
        <tbody>
          {points.map((point) => (
            <tr key={point.label}>
              <th scope="row">{point.label}</th>
              <td>{format.value.number(point.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
