import { z } from 'zod'
import { Citation } from '../schema.ts'

const StoredCitations = z.array(Citation)

/** Returns the citations of a message row; most rows have none. */
export function parseCitations(stored: string | null): Citation[] {
  return stored === null ? [] : StoredCitations.parse(JSON.parse(stored))
}
