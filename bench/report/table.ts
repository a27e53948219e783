/** A column of a Markdown table. */
export interface Column {
  head: string
  isNumber?: boolean
}

/** Returns a Markdown table with aligned cells, as the formatter writes it. */
export function markdownTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string {
  const widths = columns.map(({ head }, at) =>
    Math.max(3, head.length, ...rows.map((row) => row[at]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells
      .map((cell, at) =>
        columns[at]?.isNumber ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
      )
      .join(' | ')} |`
  const rule = columns.map(({ isNumber }, at) =>
    isNumber ? `${'-'.repeat((widths[at] ?? 3) - 1)}:` : '-'.repeat(widths[at] ?? 3),
  )
  return [line(columns.map(({ head }) => head)), line(rule), ...rows.map(line)].join('\n')
}

/** Returns a number in three significant digits, or whole from 100 on. */
export function shortNumber(value: number | null | undefined): string {
  if (value === null) return 'none'
  if (value === undefined) return '–'
  const size = Math.abs(value)
  if (size >= 100) return Math.round(value).toLocaleString('en-US')
  const digits = size >= 10 ? 1 : size >= 0.1 || size === 0 ? 2 : 3
  return String(Number(value.toFixed(digits)))
}
