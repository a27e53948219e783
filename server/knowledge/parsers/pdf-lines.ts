/** A run of text where a page shows it; lengths are in points, from the lower left corner. */
export interface PdfText {
  text: string
  x: number
  y: number
  width: number
  size: number
}

/** A printed line. */
export interface PdfLine {
  text: string
  /** More than one where wide gaps part it, as in a table. */
  cells: string[]
  page: number
  x: number
  y: number
  size: number
}

/** In sizes of the letters: what is no space, and what parts the cells of a table. */
const SMALLEST_SPACE = 0.15
const CELL_GAP = 1.5
const SAME_LINE = 0.5
/** Beyond this share of the pages, what stands in one place is a running head or a page number. */
const RUNNING_SHARE = 0.5
const MIN_PAGES_TO_REPEAT = 3

/** Puts the runs of a page together to lines, in the order in which the page draws them. */
export function linesOf(page: number, runs: Iterable<PdfText>): PdfLine[] {
  const lines: PdfLine[] = []
  let line: PdfLine | undefined
  let end = 0
  for (const run of runs) {
    if (run.text.trim() === '') continue
    const { size, x, y } = run
    const isSameLine = line && Math.abs(line.y - y) < line.size * SAME_LINE && x >= end - size * 2
    if (!line || !isSameLine) {
      line = { text: '', cells: [''], page, x, y, size }
      lines.push(line)
    } else {
      const gap = x - end
      if (gap > size * CELL_GAP) line.cells.push('')
      else if (gap > size * SMALLEST_SPACE) addTo(line, ' ')
    }
    addTo(line, run.text)
    line.size = Math.max(line.size, size)
    end = x + run.width
  }
  for (const one of lines) {
    one.cells = one.cells.map((cell) => cell.replace(/\s+/g, ' ').trim()).filter(Boolean)
    one.text = one.cells.join(' ')
  }
  return lines.filter(({ text }) => text !== '')
}

function addTo(line: PdfLine, text: string): void {
  line.cells[line.cells.length - 1] += text
}

/** Leaves out what is printed in the same place of most pages. */
export function withoutRunningLines(lines: readonly PdfLine[], pages: number): PdfLine[] {
  if (pages < MIN_PAGES_TO_REPEAT) return [...lines]
  const keyOf = ({ y, text }: PdfLine) => `${Math.round(y)} ${text.replace(/\d+/g, '#')}`
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(keyOf(line), (counts.get(keyOf(line)) ?? 0) + 1)
  const max = Math.max(2, pages * RUNNING_SHARE)
  return lines.filter((line) => (counts.get(keyOf(line)) ?? 0) <= max)
}
