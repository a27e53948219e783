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

const KEYBOARD = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm']

/** The row and the column of a key. */
function keyPlace(letter: string): [row: number, column: number] | undefined {
  const row = KEYBOARD.findIndex((keys) => keys.includes(letter))
  return row < 0 ? undefined : [row, KEYBOARD[row]?.indexOf(letter) ?? 0]
}

function areNeighbours(one: string, other: string): boolean {
  const [first, second] = [keyPlace(one), keyPlace(other)]
  if (first === undefined || second === undefined) return false
  return Math.abs(first[0] - second[0]) <= 1 && Math.abs(first[1] - second[1]) <= 1
}

/**
 * Whether a folded word at a distance of 1 is another one typed wrongly: with a letter left out or pressed twice,
 * two of them exchanged, or the key beside. `daire` is no `dair`, `beer` no `been` and `theme` no `there`.
 */
export function isMistyped(word: string, meant: string): boolean {
  if (word.length < meant.length) return true
  if (word.length > meant.length) return word.replaceAll(/(.)\1/g, '$1') === meant
  const wrong = [...word].filter((letter, at) => letter !== meant.charAt(at))
  const at = [...word].findIndex((letter, place) => letter !== meant.charAt(place))
  return wrong.length > 1 || areNeighbours(word.charAt(at), meant.charAt(at))
}
