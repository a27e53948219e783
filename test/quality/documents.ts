import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { splitDocument } from '../../server/knowledge/passages.ts'
import type { IndexedPassage } from '../../server/knowledge/search-index.ts'
import type { SetName } from './questions.ts'

const FOLDER = process.env.KNOWLEDGE_DIR ?? join(import.meta.dirname, '../data/knowledge')

/** The passages of a set; a document's id and title are its file name. */
export function readPassages(set: SetName): IndexedPassage[] {
  const folder = join(FOLDER, set)
  if (!existsSync(folder)) {
    throw new Error(`The documents are missing: put them in ${folder}, or set KNOWLEDGE_DIR.`)
  }
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => {
      const title = file.slice(0, -'.md'.length)
      const content = readFileSync(join(folder, file), 'utf8')
      return splitDocument({ kind: 'markdown', title, content }).map((passage) => ({
        doc_id: title,
        title,
        url: null,
        heading: passage.heading,
        anchor: passage.anchor,
        text: passage.text,
      }))
    })
}
