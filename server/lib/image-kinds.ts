/** Image formats that browsers show and that cannot contain scripts, by their magic bytes. */
const KINDS: readonly { mediaType: string; begins: RegExp }[] = [
  { mediaType: 'image/png', begins: /^89504e470d0a1a0a/ },
  { mediaType: 'image/jpeg', begins: /^ffd8ff/ },
  { mediaType: 'image/webp', begins: /^52494646.{8}57454250/ },
]
const MAX_MAGIC_BYTES = 12

/** Returns the media type of a PNG, JPEG or WebP image; `undefined` for any other bytes. */
export function detectImage(bytes: Uint8Array): string | undefined {
  const beginning = Buffer.from(bytes.subarray(0, MAX_MAGIC_BYTES)).toString('hex')
  return KINDS.find(({ begins }) => begins.test(beginning))?.mediaType
}
