import { useSignal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

/** Rows drawn beyond each edge, and the step in which the drawn rows move. */
const OVERSCAN = 8

/**
 * A list of rows of one height, of which only those in sight are in the page. `onEnd` is called
 * when the last rows come near. The row of `selected` is kept in sight.
 */
export function VirtualList<Row>({
  rows,
  rowHeight,
  rowKey,
  label,
  selected,
  onEnd,
  children,
}: {
  rows: readonly Row[]
  /** Pixels. */
  rowHeight: number
  rowKey: (row: Row) => string
  label: string
  selected?: string | undefined
  onEnd?: () => unknown
  children: (row: Row) => ComponentChildren
}): VNode {
  const box = useRef<HTMLDivElement>(null)
  const first = useSignal(0)
  const inSight = useSignal(20)

  useLayoutEffect(() => {
    const { current } = box
    if (!current) return undefined
    const measure = new ResizeObserver(() => {
      inSight.value = Math.ceil(current.clientHeight / rowHeight)
    })
    measure.observe(current)
    return () => measure.disconnect()
  }, [])

  const end = first.value + inSight.value + 2 * OVERSCAN
  const isNearEnd = end >= rows.length
  useEffect(() => {
    if (isNearEnd) onEnd?.()
  }, [isNearEnd, rows.length])

  const at = selected === undefined ? -1 : rows.findIndex((row) => rowKey(row) === selected)
  useEffect(() => {
    const { current } = box
    if (!current || at < 0) return
    const top = at * rowHeight
    if (top < current.scrollTop) current.scrollTop = top
    const lowest = top + rowHeight - current.clientHeight
    if (lowest > current.scrollTop) current.scrollTop = lowest
  }, [selected])

  const shown = rows.slice(first.value, end)
  return (
    <div
      ref={box}
      class="virtual"
      onScroll={(event) => {
        const row = Math.floor(event.currentTarget.scrollTop / rowHeight) - OVERSCAN
        first.value = Math.max(0, row - (row % OVERSCAN))
      }}
    >
      <ul aria-label={label} style={{ height: `${rows.length * rowHeight}px` }}>
        {shown.map((row, index) => (
          <li
            key={rowKey(row)}
            aria-setsize={rows.length}
            aria-posinset={first.value + index + 1}
            style={{
              height: `${rowHeight}px`,
              transform: `translateY(${(first.value + index) * rowHeight}px)`,
            }}
          >
            {children(row)}
          </li>
        ))}
      </ul>
    </div>
  )
}
