import { z } from 'zod'
import { Citation } from './schema.ts'

const StoredCitations = z.array(Citation)

/** The citations of a message as it is stored; most have none. */
export function readCitations(stored: string | null): Citation[] {
  return stored === null ? [] : StoredCitations.parse(JSON.parse(stored))
}
