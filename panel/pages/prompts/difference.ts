/** A line that is in both texts, only in the later one, or only in the earlier one. */
export interface DifferentLine {
  /** Its place in the list. */
  at: number
  kind: 'same' | 'more' | 'less'
  text: string
}

/** Returns how a text changed, line by line, by the longest common subsequence. */
export function differenceOf(before: string, after: string): DifferentLine[] {
  const from = before.split('\n')
  const to = after.split('\n')
  const lengths = commonLengths(from, to)
  const lines: DifferentLine[] = []
  let [at, next] = [0, 0]
  while (at < from.length || next < to.length) {
    const one = from[at]
    const other = to[next]
    if (one !== undefined && one === other) {
      lines.push({ at: lines.length, kind: 'same', text: one })
      at += 1
      next += 1
    } else if (
      other === undefined ||
      (one !== undefined && (lengths[at + 1]?.[next] ?? 0) >= (lengths[at]?.[next + 1] ?? 0))
    ) {
      lines.push({ at: lines.length, kind: 'less', text: one ?? '' })
      at += 1
    } else {
      lines.push({ at: lines.length, kind: 'more', text: other })
      next += 1
    }
  }
  return lines
}

/** The number of lines that the rests of both texts have in common, by where the rests begin. */
function commonLengths(from: readonly string[], to: readonly string[]): number[][] {
  const lengths = Array.from({ length: from.length + 1 }, () =>
    Array.from({ length: to.length + 1 }, () => 0),
  )
  for (let at = from.length - 1; at >= 0; at -= 1) {
    const row = lengths[at] ?? []
    const below = lengths[at + 1] ?? []
    for (let next = to.length - 1; next >= 0; next -= 1) {
      row[next] =
        from[at] === to[next]
          ? (below[next + 1] ?? 0) + 1
          : Math.max(below[next] ?? 0, row[next + 1] ?? 0)
    }
  }
  return lengths
}
