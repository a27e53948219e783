/** A type of file that conversations take: pictures that cannot contain scripts, and PDF. */
interface FileType {
  mediaType: string
  /** The first bytes, in hex. */
  begins: RegExp
}

const TYPES: readonly FileType[] = [
  { mediaType: 'image/png', begins: /^89504e470d0a1a0a/ },
  { mediaType: 'image/jpeg', begins: /^ffd8ff/ },
  { mediaType: 'image/webp', begins: /^52494646.{8}57454250/ },
  { mediaType: 'image/gif', begins: /^474946383[79]61/ },
  { mediaType: 'application/pdf', begins: /^255044462d/ },
]
const MAX_MAGIC_BYTES = 12

/** Returns the media type of a file by its bytes: neither its name nor a declared type counts. */
export function detectFileType(bytes: Uint8Array): string | undefined {
  const beginning = Buffer.from(bytes.subarray(0, MAX_MAGIC_BYTES)).toString('hex')
  return TYPES.find(({ begins }) => begins.test(beginning))?.mediaType
}
