/** A place in a list that runs from new to old: the time and id of the last row shown. */
export interface Cursor {
  at: number
  id: string
}

/** Makes the opaque text that a client sends back as `?cursor=`. */
export function encodeCursor(cursor: Cursor): string {
  return Buffer.from(`${cursor.at}:${cursor.id}`).toString('base64url')
}

/** Reads a cursor; `undefined` when the text is none of ours. */
export function decodeCursor(text: string): Cursor | undefined {
  const match = /^(\d{1,15}):([\w.:-]{1,128})$/.exec(
    Buffer.from(text, 'base64url').toString('utf8'),
  )
  return match ? { at: Number(match[1]), id: String(match[2]) } : undefined
}

/** Returns the page of a list that was read one row beyond the limit, with the next cursor. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  place: (row: Row) => Cursor,
  show: (row: Row) => Item,
): { data: Item[]; next_cursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    data: shown.map(show),
    next_cursor: last && rows.length > limit ? encodeCursor(place(last)) : null,
  }
}
