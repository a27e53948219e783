import { HEADING_SEPARATOR } from './parsers/chunk.ts'

const MAX_QUESTIONS = 5
const MAX_LENGTH = 120

/** A heading of a document, without the title above it. */
interface HeadingRow {
  documentId: string
  heading: string
}

/**
 * Returns up to five questions to try an assistant with: headings that are questions as they stand,
 * then other headings, which visitors type like that too. Takes one of each document before a second.
 */
export function suggestQuestions(headings: readonly HeadingRow[]): string[] {
  const byDocument = new Map<string, string[]>()
  for (const { documentId, heading } of headings) {
    const last = heading.split(HEADING_SEPARATOR).at(-1)?.trim() ?? ''
    const isUsable = last.length > 3 && last.length <= MAX_LENGTH
    const known = byDocument.get(documentId) ?? []
    if (isUsable && !known.includes(last)) byDocument.set(documentId, [...known, last])
  }
  const queues = [...byDocument.values()].map((all) =>
    all.toSorted((a, b) => Number(b.endsWith('?')) - Number(a.endsWith('?'))),
  )
  const chosen = new Set<string>()
  for (let turn = 0; chosen.size < MAX_QUESTIONS && queues.some((queue) => queue[turn]); turn++) {
    for (const queue of queues) {
      const next = queue[turn]
      if (next !== undefined && chosen.size < MAX_QUESTIONS) chosen.add(next)
    }
  }
  return [...chosen]
}
