const MAGIC = 0x950412de
const HEADER_BYTES = 28
const BYTES_OF_A_ROW = 8

/**
 * Compiles a gettext catalogue (.po) as WordPress reads it (.mo, little-endian, without a hash table).
 * Takes contexts, but not plurals, which the plugin does not have.
 */
export function compileCatalogue(po: string): Uint8Array {
  const entries = [...entriesOf(po)].toSorted(([a], [b]) => Buffer.compare(a, b))
  const originals = HEADER_BYTES
  const translations = originals + entries.length * BYTES_OF_A_ROW
  const texts = translations + entries.length * BYTES_OF_A_ROW
  const header = Buffer.alloc(texts)
  const words = [MAGIC, 0, entries.length, originals, translations, 0, texts]
  words.forEach((word, index) => header.writeUInt32LE(word, index * 4))
  const bodies: Buffer[] = []
  let offset = texts
  for (const [column, table] of [originals, translations].entries()) {
    entries.forEach((entry, index) => {
      const text = entry[column === 0 ? 0 : 1]
      header.writeUInt32LE(text.length, table + index * BYTES_OF_A_ROW)
      header.writeUInt32LE(offset, table + index * BYTES_OF_A_ROW + 4)
      bodies.push(text, Buffer.from([0]))
      offset += text.length + 1
    })
  }
  return Buffer.concat([header, ...bodies])
}

function* entriesOf(po: string): Generator<[Buffer, Buffer]> {
  for (const block of po.split(/\n{2,}/)) {
    const translation = fieldOf(block, 'msgstr')
    const context = fieldOf(block, 'msgctxt')
    const original = fieldOf(block, 'msgid')
    if (original === undefined || !translation) continue
    const key = context === undefined ? original : `${context}\u0004${original}`
    yield [Buffer.from(key), Buffer.from(translation)]
  }
}

/** Returns the joined strings behind a keyword, each of which is written as JSON writes it. */
function fieldOf(block: string, keyword: string): string | undefined {
  const lines = new RegExp(String.raw`^${keyword} ((?:".*"\n?)+)`, 'm').exec(block)?.[1]
  return lines?.replaceAll(/"(.*)"\n?/g, (_, text: string) => JSON.parse(`"${text}"`))
}
