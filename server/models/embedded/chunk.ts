/** Long enough to keep chunks few, short enough to show the first at once. */
const MIN_CHUNK_LENGTH = 24

/** Splits a text between words; joined, the chunks are the text. */
export function chunkText(text: string): string[] {
  const chunks: string[] = []
  let chunk = ''
  for (const word of text.split(/(?<=\s)/)) {
    chunk += word
    if (chunk.length < MIN_CHUNK_LENGTH) continue
    chunks.push(chunk)
    chunk = ''
  }
  if (chunk) chunks.push(chunk)
  return chunks
}
