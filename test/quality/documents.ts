import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Passage, splitDocument } from '../../server/knowledge/parsers/chunk.ts'
import type { IndexedPassage } from '../../server/knowledge/search/search-index.ts'
import type { SetName } from './questions.ts'

const FOLDER = process.env.KNOWLEDGE_DIR ?? join(import.meta.dirname, '../data/knowledge')

/** The documents of a set: Markdown, by the name of the file. */
export function readDocuments(set: SetName): { title: string; content: string }[] {
  const folder = join(FOLDER, set)
  if (!existsSync(folder)) {
    throw new Error(`The documents are missing: put them in ${folder}, or set KNOWLEDGE_DIR.`)
  }
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => ({
      title: file.slice(0, -'.md'.length),
      content: readFileSync(join(folder, file), 'utf8'),
    }))
}

/** The passages of a set; a document's id and title are its file name. */
export function readPassages(set: SetName): IndexedPassage[] {
  return readDocuments(set).flatMap(({ title, content }) =>
    indexed(title, splitDocument({ kind: 'markdown', title, content })),
  )
}

/** Passages as the index takes them. */
export function indexed(title: string, passages: readonly Passage[]): IndexedPassage[] {
  return passages.map(({ heading, anchor, text }) => ({
    doc_id: title,
    title,
    url: null,
    heading,
    anchor,
    text,
  }))
}
