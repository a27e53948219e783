import { Unzip, UnzipInflate } from 'fflate'
import { UnreadableDocument } from './detect.ts'

/** Bound of the unpacked parts together. A document of 1,000 pages has about 5 MB of XML. */
const MAX_XML_BYTES = 40_000_000
const MAX_ENTRIES = 5_000
/** A small slice inflates to little, so that the bound stops a zip bomb after a few megabytes. */
const SLICE_BYTES = 8_192

/** Unpacks the named parts of a Word file. @throws UnreadableDocument when it is damaged or too large. */
export function unpackParts(bytes: Uint8Array, wanted: readonly string[]): Map<string, string> {
  const parts = new Map<string, string>()
  let entries = 0
  let size = 0
  let failure: Error | undefined
  const unzip = new Unzip((file) => {
    entries += 1
    if (!wanted.includes(file.name) || parts.has(file.name)) return
    const decoder = new TextDecoder()
    parts.set(file.name, '')
    file.ondata = (error, data, isFinal) => {
      if (error) failure = error
      if (error || failure) return
      size += data.length
      const text = decoder.decode(data, { stream: !isFinal })
      parts.set(file.name, (parts.get(file.name) ?? '') + text)
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  try {
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
      unzip.push(bytes.subarray(at, at + SLICE_BYTES), at + SLICE_BYTES >= bytes.length)
      if (size > MAX_XML_BYTES || entries > MAX_ENTRIES) {
        throw new UnreadableDocument('The Word file is too large. Split it into several files.')
      }
      if (failure) throw failure
    }
  } catch (cause) {
    if (cause instanceof UnreadableDocument) throw cause
    throw new UnreadableDocument('The Word file is damaged. Save it once more and send that.', {
      cause,
    })
  }
  return parts
}
