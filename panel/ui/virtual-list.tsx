import { useSignal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'

/** Rows drawn beyond each edge. */
const OVERSCAN = 5
/** The drawn rows move in steps of so many: a few rows a frame, never a screen of them at once. */
const STEP = 1
/** A list that has not moved for so long has come to rest. */
const REST_MS = 120

/**
 * A list of rows of one height, of which only those in sight are in the page. `onEnd` is called
 * when the last rows come near. The row of `selected` is kept in sight. A row is drawn again when
 * it is another object or when `children` is another function, so callers keep both.
 */
export function VirtualList<Row extends object>({
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
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined)
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

  useEffect(() => {
    const { current } = box
    const at = selected === undefined ? -1 : rows.findIndex((row) => rowKey(row) === selected)
    if (!current || at < 0) return
    const top = at * rowHeight
    if (top < current.scrollTop) current.scrollTop = top
    const lowest = top + rowHeight - current.clientHeight
    if (lowest > current.scrollTop) current.scrollTop = lowest
  }, [selected])

  // Preact skips an element that is the same object: scrolling draws the rows that come into sight.
  // Rows out of sight are forgotten, so that a long list does not fill the heap that is collected.
  const drawn = useMemo(() => ({ rows: new Map<Row, DrawnRow>() }), [children])
  const before = drawn.rows
  drawn.rows = new Map()
  function draw(row: Row, at: number): DrawnRow {
    const known = before.get(row)
    if (known?.at === at && known.total === rows.length) return known
    const content = known?.content ?? children(row)
    const item = (
      <li
        key={rowKey(row)}
        aria-setsize={rows.length}
        aria-posinset={at + 1}
        style={{ height: `${rowHeight}px`, top: `${at * rowHeight}px` }}
      >
        {content}
      </li>
    )
    return { at, total: rows.length, content, item }
  }

  const shown = rows.slice(first.value, end).map((row, index) => {
    const known = draw(row, first.value + index)
    drawn.rows.set(row, known)
    return known.item
  })
  return (
    <div
      ref={box}
      class="virtual"
      onScroll={(event) => {
        const list = event.currentTarget
        // Read before anything is written, so that no style is computed twice.
        const row = Math.floor(list.scrollTop / rowHeight) - OVERSCAN
        list.classList.add('scrolling')
        clearTimeout(rest.current)
        rest.current = setTimeout(() => list.classList.remove('scrolling'), REST_MS)
        first.value = Math.max(0, row - (row % STEP))
        // Also after a page that failed to load.
        if (row + inSight.value + 2 * OVERSCAN >= rows.length) onEnd?.()
      }}
    >
      <ul aria-label={label} style={{ height: `${rows.length * rowHeight}px` }}>
        {shown}
      </ul>
    </div>
  )
}

interface DrawnRow {
  at: number
  total: number
  content: ComponentChildren
  item: VNode
}
