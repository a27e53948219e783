import { createHash, type Hash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { endianness } from 'node:os'
import { join, relative } from 'node:path'
import type { IndexedPassage } from '../search/index-builder.ts'

const ROOT = join(import.meta.dirname, '../../..')
/**
 * The files and folders that an index depends on beside its passages, below the product's folder: code and data of the search, and
 * the packages, whose exact versions are in `package.json`. `test/unit/knowledge/snapshots.test.ts` checks
 * that every file which the search imports is among them.
 */
export const FINGERPRINTED = ['server/knowledge', 'server/lib', 'package.json']
/** Characters that are hashed between two yields: a millisecond. */
const CHARACTERS_PER_YIELD = 200_000

/**
 * Returns the state of the search's code and data as a digest of the files' contents, with that of Node, whose
 * tables of Unicode fold and split words. A process keeps the code that it has loaded, so read this once.
 */
export async function readFingerprint(): Promise<string> {
  const hash = createHash('sha256')
  const { node, v8, icu, unicode } = process.versions
  addText(hash, JSON.stringify([node, v8, icu, unicode, endianness()]))
  for (const file of await listFingerprinted()) {
    const content = await readFile(file)
    addText(hash, `${relative(ROOT, file)} ${content.length}`)
    hash.update(content)
  }
  return hash.digest('base64url')
}

async function listFingerprinted(): Promise<string[]> {
  const found = await Promise.all(
    FINGERPRINTED.map(async (name) => {
      const path = join(ROOT, name)
      if (name.endsWith('.json')) return [path]
      const entries = await readdir(path, { withFileTypes: true, recursive: true })
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    }),
  )
  return found.flat().toSorted()
}

/**
 * Returns the digest of a fingerprint and of everything that a search reads of passages, in their order: two
 * indexes with the same digest are the same. Yields regularly.
 */
export function* stampPassages(
  fingerprint: string,
  passages: readonly IndexedPassage[],
): Generator<undefined, string> {
  const hash = createHash('sha256')
  addText(hash, fingerprint)
  let characters = 0
  for (const { doc_id, title, url, heading, anchor, text, ordinal } of passages) {
    const fields = [doc_id, title, url, heading, anchor, text, String(ordinal)]
    // The lengths tell where a field ends, and what is missing from what is empty.
    const lengths = fields.map((field) => field?.length ?? 'none').join(' ')
    const line = `${lengths} ${fields.join('')}`
    addText(hash, line)
    characters += line.length
    if (characters < CHARACTERS_PER_YIELD) continue
    characters = 0
    yield undefined
  }
  return hash.digest('base64url')
}

function addText(hash: Hash, line: string): void {
  hash.update(`${line}\n`)
}
