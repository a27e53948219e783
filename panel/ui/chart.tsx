import type { VNode } from 'preact'
import { useApp } from '../app/app-context.ts'

export interface Point {
  label: string
  value: number
  /** The value of the period before. */
  before?: number
}

/** The plot's own measure; it is stretched to the width that it has. */
const WIDTH = 600
const HEIGHT = 100
/** The height of `.chart`. */
const PIXELS = 180
const STEPS = [1, 2, 5, 10] as const

/** Returns the top of an axis above a value: 1, 2, 5, 10, 20, 50, … */
function topOf(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)))
  const step = STEPS.find((each) => each * power >= value) ?? 10
  return Math.max(2, step * power)
}

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
  const { number } = format.value
  const top = topOf(Math.max(0, ...points.flatMap(({ value, before = 0 }) => [value, before])))
  const step = WIDTH / Math.max(1, points.length - (kind === 'line' ? 1 : 0))
  const y = (value: number): number => HEIGHT - (value / top) * HEIGHT
  const path = (pick: (point: Point) => number): string =>
    points.map((point, at) => `${at === 0 ? 'M' : 'L'}${at * step} ${y(pick(point))}`).join('')
  const hasBefore = points.some(({ before }) => before !== undefined)
  const first = points[0]
  const last = points.at(-1)
  const share = kind === 'line' ? 1 : 0.7
  return (
    <figure class="chart-figure">
      <div class="chart-plot">
        <svg
          class="chart"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={label}
        >
          {[0, top / 2, top].map((value) => (
            <line key={value} class="axis" x1="0" x2={WIDTH} y1={y(value)} y2={y(value)} />
          ))}
          {kind === 'bar' ? (
            points.map((point, at) => (
              <rect
                key={point.label}
                class="bar"
                x={at * step + step * 0.15}
                y={y(point.value)}
                width={step * share}
                height={HEIGHT - y(point.value)}
              />
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
          {points.map((point, at) => (
            <rect
              key={point.label}
              class="day"
              x={kind === 'line' ? (at - 0.5) * step : at * step}
              y="0"
              width={step}
              height={HEIGHT}
            >
              <title>{`${point.label}: ${number(point.value)}`}</title>
            </rect>
          ))}
        </svg>
        {[top / 2, top].map((value) => (
          <span
            key={value}
            aria-hidden="true"
            style={{ bottom: `${(value / top) * PIXELS + 2}px` }}
          >
            {number(value)}
          </span>
        ))}
      </div>
      <div class="chart-days" aria-hidden="true">
        <span>{first?.label}</span>
        <span>{last === first ? '' : last?.label}</span>
      </div>
      <div class="visually-hidden">
        <table>
          <caption>{label}</caption>
          <tbody>
            {points.map((point) => (
              <tr key={point.label}>
                <th scope="row">{point.label}</th>
                <td>{number(point.value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}
