/** Long enough to be few, short enough that the first is on the screen at once. */
const MIN_CHUNK_LENGTH = 24

/** Cuts between words; put together again, the pieces are the text. */
export function chunkText(text: string): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const word of text.split(/(?<=\s)/)) {
    piece += word
    if (piece.length < MIN_CHUNK_LENGTH) continue
    pieces.push(piece)
    piece = ''
  }
  if (piece) pieces.push(piece)
  return pieces
}
