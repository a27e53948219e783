import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A question as a visitor types it, and the documents (file names) that may be cited for it. */
export interface Question {
  text: string
  /** Empty when nothing in the documents answers it. */
  documents: readonly string[]
}

/** A folder of `test/data/knowledge`: each is one tenant's documents. */
export type SetName = 'react-tr' | 'fastify-en'

/**
 * `named`: must be answered whatever else happens. `tuned`: the search was tuned with these.
 * `held-out`: written before the last tuning, and only ever counted, never looked into.
 */
export type Part = 'named' | 'tuned' | 'held-out'

/** Reads `asked/<set>.<part>.txt`: a line is `question | document document`, or `question | none`. */
export function readQuestions(set: SetName, part: Part): Question[] {
  const file = join(import.meta.dirname, 'asked', `${set}.${part}.txt`)
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [text = '', documents = ''] = line.split(' | ')
      return { text, documents: documents === 'none' ? [] : documents.split(' ') }
    })
}
