import type { Expected } from '../server/evaluation/schema.ts'
import { fold } from '../server/lib/text/fold.ts'

/** A line of the file: the question, and the column `wanted` as it was written. */
export interface WantedQuestion {
  question: string
  wanted: string
}

/** A document by the names that the column `wanted` may give it. */
export interface NamedDocument {
  doc_id: string
  title: string
  url: string | null
  file_name: string | null
}

/** A mistake in the file; the message names the line. */
export class QuestionsFileError extends Error {}

/**
 * Reads the lines of a CSV file with the columns `question` and `wanted`, separated by commas or, as
 * some spreadsheets write them, semicolons. Throws `QuestionsFileError`.
 */
export function readQuestions(text: string): WantedQuestion[] {
  const [head = ''] = text.split('\n', 1)
  const isSemicolons = head.split(';').length > head.split(',').length
  const [columns = [], ...lines] = parseCsv(text.replace(/^\uFEFF/, ''), isSemicolons ? ';' : ',')
  const names = columns.map((name) => name.trim().toLowerCase())
  const questionAt = names.indexOf('question')
  const wantedAt = names.indexOf('wanted')
  if (questionAt === -1 || wantedAt === -1) {
    throw new QuestionsFileError('The first line must name the columns "question" and "wanted".')
  }
  return lines.flatMap((cells, at) => {
    const question = cells[questionAt]?.trim() ?? ''
    const wanted = cells[wantedAt]?.trim() ?? ''
    if (question === '' && wanted === '') return []
    if (question === '' || wanted === '') {
      throw new QuestionsFileError(`Line ${at + 2} needs a question and what is wanted, or "none".`)
    }
    return [{ question, wanted }]
  })
}

/**
 * Returns what a right answer has: `none`; a document, by its id, title, address or file name; else
 * words, separated by semicolons, where `a|b` is either of two.
 */
export function expectedOf(wanted: string, documents: readonly NamedDocument[]): Expected {
  const name = fold(wanted)
  if (name === 'none') return { none: true }
  const document = documents.find(({ doc_id, title, url, file_name }) =>
    [doc_id, title, url, file_name].some((each) => each !== null && fold(each) === name),
  )
  if (document) return { doc_id: document.doc_id }
  const words = wanted.split(';').map((word) => word.trim())
  return { words: words.filter((word) => word !== '') }
}

/** Parses CSV (RFC 4180); quotes may hold separators, line ends and doubled quotes. */
function parseCsv(text: string, separator: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') {
        cell += '"'
        at += 1
      } else isQuoted = false
    } else if (character === '"' && cell === '') isQuoted = true
    else if (character === separator) {
      row.push(cell)
      cell = ''
    } else if (character === '\n') {
      rows.push([...row, cell])
      row = []
      cell = ''
    } else if (character !== '\r') cell += character
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell])
  return rows
}
