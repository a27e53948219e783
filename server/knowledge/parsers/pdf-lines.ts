/** A run of text with its position in points, from the lower left corner of the page. */
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
  /** More than one where wide gaps separate them, as in a table. */
  cells: string[]
  page: number
  x: number
  y: number
  size: number
}

/** In font sizes: the narrowest space, and the gap between cells of a table. */
const SMALLEST_SPACE = 0.15
const CELL_GAP = 1.5
const SAME_LINE = 0.5
/** A line at the same position of more than this share of the pages is a running head or a page number. */
const RUNNING_SHARE = 0.5
const MIN_PAGES_TO_REPEAT = 3

/** Joins the runs of a page into lines, in drawing order. */
export function groupRuns(page: number, runs: Iterable<PdfText>): PdfLine[] {
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

/** Returns the lines without running heads and page numbers. */
export function withoutRunningLines(lines: readonly PdfLine[], pages: number): PdfLine[] {
  if (pages < MIN_PAGES_TO_REPEAT) return [...lines]
  const keyOf = ({ y, text }: PdfLine) => `${Math.round(y)} ${text.replace(/\d+/g, '#')}`
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(keyOf(line), (counts.get(keyOf(line)) ?? 0) + 1)
  const max = Math.max(2, pages * RUNNING_SHARE)
  return lines.filter((line) => (counts.get(keyOf(line)) ?? 0) <= max)
}
