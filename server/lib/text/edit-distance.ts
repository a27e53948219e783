/**
 * Returns the optimal string alignment distance of two words (insertions, deletions, substitutions,
 * transpositions), or `max + 1` when it exceeds `max`. Keeps three rows of the matrix.
 */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1
  let beforePrevious = new Uint8Array(b.length + 1)
  let previous = Uint8Array.from({ length: b.length + 1 }, (_, column) => column)
  let row = new Uint8Array(b.length + 1)
  for (let i = 1; i <= a.length; i += 1) {
    row[0] = i
    let min = i
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1
      let edits = Math.min(
        (previous[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + cost,
      )
      const isSwap =
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
      if (isSwap) edits = Math.min(edits, (beforePrevious[j - 2] ?? 0) + 1)
      row[j] = edits
      min = Math.min(min, edits)
    }
    if (min > max) return max + 1
    const spare = beforePrevious
    beforePrevious = previous
    previous = row
    row = spare
  }
  return Math.min(previous[b.length] ?? 0, max + 1)
}
