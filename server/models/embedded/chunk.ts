/** Long enough to be few, short enough that the first is on the screen at once. */
const PIECE_LENGTH = 24

/** Cuts between words; put together again, the pieces are the text. */
export function inPieces(text: string): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const word of text.split(/(?<=\s)/)) {
    piece += word
    if (piece.length < PIECE_LENGTH) continue
    pieces.push(piece)
    piece = ''
  }
  if (piece) pieces.push(piece)
  return pieces
}
