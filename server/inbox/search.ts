import type { Context } from '../context.ts'
import { type Cursor, encodeCursor } from '../lib/cursor.ts'
import { fold } from '../lib/text/fold.ts'
import {
  type InboxFilter,
  type InboxRow,
  type SearchCandidate,
  listInboxByIds,
  listSearchCandidates,
} from './store.list.ts'

/** Sessions in one statement: few, so that the embedded database serves other calls between two. */
const BATCH_SIZE = 500
/** Sessions that one call looks at; its cursor leads to the rest. */
export const MAX_SEARCHED = 10_000
const MIN_DIGITS = 4

/**
 * Returns the sessions with a text in their messages or in the visitor's contact details, in the
 * order of the inbox. Case and accents do not count. Looks at `maxSearched` sessions at most: a page
 * may be short, or empty, and have a next one.
 */
export async function searchInbox(
  ctx: Context,
  filter: InboxFilter,
  wanted: { text: string; limit: number; after: Cursor | undefined; maxSearched: number },
): Promise<{ rows: InboxRow[]; next_cursor: string | null }> {
  const { limit, maxSearched } = wanted
  const hasText = contactMatcher(wanted.text)
  const pattern = `%${fold(wanted.text).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const found: Cursor[] = []
  let { after } = wanted
  let isOver = false
  for (let looked = 0; looked < maxSearched && found.length <= limit && !isOver;) {
    const page = { limit: BATCH_SIZE, after, pattern }
    const batch = await listSearchCandidates(ctx.db, filter, page)
    for (const row of batch) {
      if (row.is_hit === 1 || hasText(row)) found.push({ at: row.updated_at, id: row.id })
    }
    const last = batch.at(-1)
    if (last) after = { at: last.updated_at, id: last.id }
    isOver = batch.length < BATCH_SIZE
    looked += batch.length
  }
  const shown = found.slice(0, limit)
  const rows = await listInboxByIds(
    ctx.db,
    filter.workspaceId,
    shown.map(({ id }) => id),
  )
  const next = found.length > limit ? shown.at(-1) : isOver ? undefined : after
  return { rows, next_cursor: next ? encodeCursor(next) : null }
}

/** Returns whether contact details have a text; of a number, the digits alone are compared. */
function contactMatcher(text: string): (row: SearchCandidate) => boolean {
  const wanted = fold(text)
  const digits = /\p{L}/u.test(text) ? '' : text.replaceAll(/\D/g, '').replace(/^0+/, '')
  return (row) => {
    const { contact_name, contact_email, identity_name, identity_email } = row
    const phones = [row.contact_phone ?? '', row.identity_phone ?? '']
    if (digits.length >= MIN_DIGITS) {
      if (phones.some((phone) => phone.replaceAll(/\D/g, '').includes(digits))) return true
    }
    return [contact_name, contact_email, identity_name, identity_email, ...phones].some(
      (value) => value !== null && fold(value).includes(wanted),
    )
  }
}
